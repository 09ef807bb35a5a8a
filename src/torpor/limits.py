"""Every number the project promises or enforces, with its unit.

Data only. A number that a person may change has its name here and its setting in `config`;
no other module may hold a limit of its own.
"""

from dataclasses import dataclass

KIB = 1024
MIB = 1024 * KIB
GIB = 1024 * MIB

# Wasm and memory -----------------------------------------------------------------------------------

#: wasmtime counts instructions; one unit of Torpor's fuel is this many of them.
FUEL_UNIT = 1_000
#: Instructions for guests that only their owner may stop (about 300 years).
UNLIMITED_FUEL = 2**63 - 1
#: Memory of a plain command module (`torpor wasi run`).
COMMAND_MEMORY_BYTES = 1 * GIB
WASM_PAGE_BYTES = 64 * KIB
#: A guest that breaks down with more than this share of its cap in use is taken to have run out of memory.
MEMORY_SPENT_SHARE = 7 / 8
#: The granule in which changes are found, stored and restored (the host's page size).
PAGE_BYTES = 4 * KIB
#: What Wasm code may use of the guest thread's stack. With 8 MiB on an 8 MiB thread the host crashed.
WASM_STACK_BYTES = 16 * MIB
#: The stack of the threads that guests run on: room for `WASM_STACK_BYTES` and the host functions.
GUEST_THREAD_STACK_BYTES = 64 * MIB
#: A guest table beyond this many elements is refused (the largest engine needs about 20,000).
MAX_TABLE_ELEMENTS = 100_000

# Code and identifiers ------------------------------------------------------------------------------

MAX_CODE_BYTES = 64 * KIB
MAX_SANDBOX_ID_CHARS = 63
MAX_CONTEXTS_PER_SANDBOX = 8
MAX_ENV_VARS = 256
MAX_ENV_BYTES = 64 * KIB
MAX_STDIN_BYTES = 16 * MIB

# What an execution may say -------------------------------------------------------------------------

#: stdout and stderr together; the rest is counted and cut.
MAX_OUTPUT_BYTES = 1 * MIB
#: Chunks that are kept apart; what is written in further ones is kept as one chunk a stream, so that a
#: megabyte written byte by byte does not cost the host a hundred.
MAX_OUTPUT_CHUNKS = 10_000
#: One result, all its representations together; beyond it a representation is cut or left out.
MAX_RESULT_BYTES = 1 * MIB
#: Results of one execution (displayed objects, figures and the value).
MAX_RESULTS = 64
#: Everything the harness may write to its device in one execution.
MAX_REPLY_BYTES = 32 * MIB
MAX_ERROR_MESSAGE_CHARS = 8 * KIB
MAX_TRACEBACK_LINES = 200
MAX_COMPLETIONS = 1_000

# Host calls ----------------------------------------------------------------------------------------

#: What one call may move to or from a device, or of random bytes at a time: a guest's single
#: instruction must not keep the host busy for long. Beyond it the guest is told a short count.
MAX_HOST_CHUNK_BYTES = 1 * MIB
#: Descriptors beyond the quota's open files, for devices and the engine's own read-only files only.
SPARE_DESCRIPTORS = 16
#: Subscriptions in one poll.
MAX_POLL_SUBSCRIPTIONS = 1024

# Time ----------------------------------------------------------------------------------------------

DEFAULT_TIMEOUT_SECONDS = 60.0
#: What an engine that ends code softly has beyond the deadline to put its state in order, before the
#: execution is ended hard and rolled back.
SOFT_STOP_SECONDS = 1.0
#: A completion that takes longer offers nothing: it may run the user's own properties.
COMPLETION_SECONDS = 2.0
#: How long a writer waits for another process that uses the same sandbox.
DEFAULT_LEASE_SECONDS = 30.0
#: Zero: an embedded sandbox stays until it is destroyed (docs/decisions/0006).
DEFAULT_IDLE_TTL_SECONDS = 0.0

# Snapshots -----------------------------------------------------------------------------------------

#: Generations that `rewind` and `fork` can still reach.
REWINDABLE_GENERATIONS = 32
#: A chain of records longer than this is merged behind the last rewindable generation.
MAX_CHAIN_RECORDS = 64
#: Written pages of a context from which write protection pays. Below, comparing all of them at each
#: step costs less than the faults, and reads of mapped pages come 16 at a time.
PROTECT_FROM_PAGES = 3072
#: Pages in long runs from which it pays to have the guest overwrite its free memory first (32 MiB).
TIDY_FROM_PAGES = 8192
#: Changed runs of at least this many pages go raw to the extent file, where they can be mapped.
EXTENT_PAGES = 64
#: Rows of 4 KiB that the process keeps for contexts to come, beyond those that live ones use.
MAX_IDLE_ROWS = 1024
#: Live instances one process keeps for the contexts it served last.
DEFAULT_RESIDENT_CONTEXTS = 8
#: Sandboxes whose files one process keeps open (a few each): those used last.
MAX_OPEN_SANDBOXES = 64
#: Calls that `torpor.aio` has under way at once; further ones wait.
MAX_ASYNC_CALLS = 64
#: When a chain is too long, a record joins its newer neighbour unless it is more than this many times
#: larger: each byte is then rewritten a logarithmic number of times.
MERGE_SIZE_RATIO = 2

# Storage -------------------------------------------------------------------------------------------

#: Generations that `history` lists; older ones are forgotten.
HISTORY_GENERATIONS = 1_000
#: A store asks to be maintained after this many commits.
MAINTENANCE_GENERATIONS = 16
#: Payloads that a summary stands for, together.
SUMMARISED_BYTES = 1 * MIB
#: Generations after which space in an extent file that no record names is used again.
EXTENT_GRACE_GENERATIONS = 32
#: Unused space in a sandbox's database beyond which maintenance gives it back to the disk.
VACUUM_FREE_BYTES = 8 * MIB
#: How long a database operation waits for another process's transaction.
STORE_BUSY_SECONDS = 10.0
#: Pages of a database's log after which they are moved into the database (a page has 4 KiB).
WAL_CHECKPOINT_PAGES = 256
#: How often a waiting writer looks whether the sandbox is free.
LEASE_POLL_SECONDS = 0.01
#: Compression of stored contents and exported files (zstd).
STORE_ZSTD_LEVEL = 3
#: Bytes that are copied, hashed or compressed at a time.
COPY_CHUNK_BYTES = 1 * MIB
#: An exported file that holds more than this is refused.
MAX_IMPORT_BYTES = 8 * GIB
#: The list of contents in an exported file.
MAX_IMPORT_MANIFEST_BYTES = 64 * MIB
MAX_IMPORT_MEMBERS = 200_000

# The command line ----------------------------------------------------------------------------------

#: Generations that the REPL's `:history` shows.
REPL_HISTORY_ROWS = 20
#: Objects made before Python looks for garbage cycles: starting up makes many and leaves no garbage.
COLLECTOR_THRESHOLD = 50_000


@dataclass(frozen=True, slots=True)
class WorkspaceQuota:
    """What one /workspace may hold. Bytes count contents, entries count files, links and directories."""

    file_bytes: int = 64 * MIB
    total_bytes: int = 256 * MIB
    entries: int = 16 * KIB
    open_files: int = 256
    name_bytes: int = 255
    path_bytes: int = 4096
    symlink_hops: int = 40


#: The quota of the sandbox-workers contract, for those who need its numbers.
CONTRACT_QUOTA = WorkspaceQuota(file_bytes=1 * MIB, total_bytes=16 * MIB, entries=4096)

"""Node.js's own introduction from buffers to testing; goes on where `node_events` ends."""

# ruff: noqa: E501 - the code and the output of a snippet read best in one piece

from tests.contract.tutorials.snippets import Snippet

SNIPPETS = (
    Snippet(
        "Buffers: bytes of text",
        """
const bytes = Buffer.from('Grüße');
[bytes.length, bytes.toString('hex'), bytes.toString('base64'), bytes.toString('latin1').length]
""",
        value="[ 7, '4772c3bcc39f65', 'R3LDvMOfZQ==', 7 ]",
    ),
    Snippet(
        "Buffers: they show themselves",
        "bytes",
        value="<Buffer 47 72 c3 bc c3 9f 65>",
    ),
    Snippet(
        "Buffers: slices share their memory",
        """
bytes.subarray(0, 2).write('Br');
[bytes.toString(), Buffer.concat([bytes.subarray(0, 1), Buffer.alloc(2, '-')]).toString(), bytes.equals(Buffer.from('Brüße'))]
""",
        value="[ 'Brüße', 'B--', true ]",
    ),
    Snippet(
        "Buffers: numbers in them",
        """
const frame = Buffer.alloc(6);
frame.writeUInt16BE(0xcafe, 0);
frame.writeInt32LE(-2, 2);
[frame, frame.readUInt16LE(0), frame.readInt8(2)]
""",
        value="[ <Buffer ca fe fe ff ff ff>, 65226, -2 ]",
    ),
    Snippet(
        "Buffers: text is encoded and decoded",
        """
const encoded = new TextEncoder().encode('€5');
[encoded, new TextDecoder().decode(encoded), btoa('post'), atob('cG9zdA==')]
""",
        value="[ Uint8Array(4) [ 226, 130, 172, 53 ], '€5', 'cG9zdA==', 'post' ]",
    ),
    Snippet(
        "Files: written, appended and read",
        r"""
fs.writeFileSync('ledger.txt', 'Ada;3\nBo;1\n');
fs.appendFileSync('ledger.txt', 'Cy;9\n');
const ledger = fs.readFileSync('ledger.txt', 'utf8').trim().split('\n').map((line) => line.split(';'));
Object.fromEntries(ledger)
""",
        value="{ Ada: '3', Bo: '1', Cy: '9' }",
    ),
    Snippet(
        "Files: what is known about one",
        """
const about = fs.statSync('ledger.txt');
[about.size, about.isFile(), about.isDirectory(), fs.existsSync('ledger.txt'), fs.existsSync('other.txt')]
""",
        value="[ 16, true, false, true, false ]",
    ),
    Snippet(
        "Files: one that is not there has a code",
        """
try { fs.readFileSync('lost.txt'); } catch (problem) { console.log(problem.code, problem.syscall, problem.message.startsWith('ENOENT')); }
""",
        out="ENOENT open true\n",
    ),
    Snippet(
        "Files: and the error is thrown at the reader",
        "fs.readFileSync('lost.txt')",
        error="Error",
    ),
    Snippet(
        "Files: a descriptor stays open",
        """
const handle = fs.openSync('ledger.txt', 'r+');
const chunk = Buffer.alloc(4);
fs.readSync(handle, chunk, 0, 4, null);
chunk.toString()
""",
        value="'Ada;'",
    ),
    Snippet(
        "Files: it is where it was",
        """
fs.readSync(handle, chunk, 0, 4, null);
[chunk.toString(), fs.fstatSync(handle).size]
""",
        value="[ '3\\nBo', 16 ]",
    ),
    Snippet(
        "Files: what is written through it is there",
        """
fs.writeSync(handle, 'DI');
fs.closeSync(handle);
fs.readFileSync('ledger.txt', 'utf8')
""",
        value="'Ada;3\\nBoDI\\nCy;9\\n'",
    ),
    Snippet(
        "Files: folders",
        """
fs.mkdirSync('bags/north/oslo', { recursive: true });
fs.writeFileSync('bags/north/a.txt', 'a'); fs.writeFileSync('bags/b.txt', 'bb');
[fs.readdirSync('bags').sort(), fs.readdirSync('bags', { withFileTypes: true }).filter((one) => one.isDirectory()).map((one) => one.name)]
""",
        value="[ [ 'b.txt', 'north' ], [ 'north' ] ]",
    ),
    Snippet(
        "Files: renamed, copied and removed",
        """
fs.renameSync('bags/b.txt', 'bags/c.txt');
fs.copyFileSync('bags/c.txt', 'bags/north/d.txt');
fs.rmSync('bags/north/oslo', { recursive: true });
fs.unlinkSync('bags/c.txt');
[fs.readdirSync('bags'), fs.readdirSync('bags/north').sort()]
""",
        value="[ [ 'north' ], [ 'a.txt', 'd.txt' ] ]",
    ),
    Snippet(
        "Files: with promises",
        """
const { readFile, writeFile, stat } = require('node:fs/promises');
await writeFile('note.txt', 'sealed');
[await readFile('note.txt', 'utf8'), (await stat('note.txt')).size]
""",
        value="[ 'sealed', 6 ]",
    ),
    Snippet(
        "Files: with callbacks",
        """
fs.readFile('note.txt', 'utf8', (problem, text) => console.log('read', problem, text));
console.log('asked');
""",
        out="asked\nread null sealed\n",
    ),
    Snippet(
        "Paths: put together and taken apart",
        """
[path.join('bags', '..', 'note.txt'), path.extname('a.tar.gz'), path.resolve('/mail', 'out', '../in'), path.relative('/mail/in', '/mail/out/x'), path.isAbsolute('bags'), path.normalize('/a//b/../c/.')]
""",
        value="[ 'note.txt', '.gz', '/mail/in', '../out/x', false, '/a/c' ]",
    ),
    Snippet(
        "Paths: an address in parts",
        "path.parse('/mail/in/letter.final.txt')",
        value="{\n  root: '/',\n  dir: '/mail/in',\n  base: 'letter.final.txt',\n  ext: '.txt',\n  name: 'letter.final'\n}",
    ),
    Snippet(
        "Addresses: a URL and its query",
        """
const address = new URL('https://post.example:8443/track/me?id=7&tag=a&tag=b%20c#now');
address.searchParams.append('new', 'yes&no');
[address.host, address.pathname, address.hash, address.searchParams.getAll('tag'), address.href]
""",
        value="[\n  'post.example:8443',\n  '/track/me',\n  '#now',\n  [ 'a', 'b c' ],\n  'https://post.example:8443/track/me?id=7&tag=a&tag=b+c&new=yes%26no#now'\n]",
    ),
    Snippet(
        "Addresses: built from one that is there",
        """
[new URL('../status', address).href, `${new URLSearchParams({ q: 'ü', page: 2 })}`, URL.canParse('nowhere')]
""",
        value="[ 'https://post.example:8443/status', 'q=%C3%BC&page=2', false ]",
    ),
    Snippet(
        "Addresses: one that is none",
        "new URL('nowhere')",
        error="TypeError",
    ),
    Snippet(
        "Testing: an assertion that holds says nothing",
        """
const assert = require('node:assert/strict');
assert.deepEqual(Object.fromEntries(ledger), { Ada: '3', Bo: '1', Cy: '9' });
assert.throws(() => new URL('no'), TypeError);
isDeepStrictEqual(new Map([[1, [2]]]), new Map([[1, [2]]]))
""",
        value="true",
    ),
    Snippet(
        "Testing: one that does not is an error",
        "assert.equal(rounds, 4)",
        error="AssertionError",
    ),
    Snippet(
        "Testing: with a text of one's own",
        "assert(rounds > 3, 'the bell rang too seldom')",
        error="AssertionError",
        message="the bell rang too seldom",
    ),
    Snippet(
        "Introduction: the post office is as it was left",
        "stamps.sell(); [stamps.sell(0), heard.length, rounds, bytes.toString(), south]",
        value="[ 7, 7, 3, 'Brüße', [ 9000, 6000 ] ]",
    ),
)

"""poll_oneoff: waiting for clocks and descriptors.

Files and devices are always ready, so only a poll of clocks alone ever sleeps. The sleep belongs to
the clock, which may cut it short.
"""

from torpor.limits import MAX_POLL_SUBSCRIPTIONS
from torpor.wasi.abi import EVENT, SUBSCRIPTION, SUBSCRIPTION_CLOCK_ABSTIME, Errno, EventType, Rights
from torpor.wasi.errors import WasiError
from torpor.wasi.process_calls import ClockCalls
from torpor.workspace.nodes import File, HostFile

_Subscription = tuple[int, int, int, int, int, int]


class PollCalls(ClockCalls):
    """poll_oneoff"""

    def poll_oneoff(self, subscriptions: int, events: int, count: int, result: int) -> None:
        if not 0 < count <= MAX_POLL_SUBSCRIPTIONS:
            raise WasiError(Errno.INVAL)
        self.memory.check(events, count * EVENT.size)
        self.memory.check(result, 4)
        data = self.memory.load(subscriptions, count * SUBSCRIPTION.size)
        asked: list[_Subscription] = list(SUBSCRIPTION.iter_unpack(data))
        happened = self._ready(asked) or self._sleep(asked)
        self.memory.store(events, b"".join(happened))
        self.memory.store_u32(result, len(happened))

    def _ready(self, asked: list[_Subscription]) -> list[bytes]:
        """Events that need no waiting."""
        events: list[bytes] = []
        for subscription in asked:
            userdata, tag, subject = subscription[:3]
            if tag == EventType.CLOCK:
                error, delay = self._delay(subscription)
                if error or delay <= 0:
                    events.append(EVENT.pack(userdata, error, tag, 0, 0))
            elif tag in (EventType.FD_READ, EventType.FD_WRITE):
                events.append(self._descriptor_event(userdata, tag, subject))
            else:
                raise WasiError(Errno.INVAL)
        return events

    def _sleep(self, asked: list[_Subscription]) -> list[bytes]:
        """Sleep until the first clock is due; the events of all that are then due."""
        delays = [(self._delay(subscription)[1], subscription) for subscription in asked]
        shortest = min(delay for delay, _ in delays)
        self.clock.sleep(shortest)
        return [EVENT.pack(s[0], 0, s[1], 0, 0) for delay, s in delays if delay <= shortest]

    def _delay(self, subscription: _Subscription) -> tuple[int, int]:
        """(errno, nanoseconds until the clock subscription is due)"""
        _, _, clock, timeout, _, flags = subscription
        try:
            now = self.read_clock(clock)
        except WasiError as error:
            return error.errno, 0
        return 0, timeout - now if flags & SUBSCRIPTION_CLOCK_ABSTIME else timeout

    def _descriptor_event(self, userdata: int, tag: int, fd: int) -> bytes:
        descriptor = self.table.get(fd)
        error, available = Errno.SUCCESS, 0
        if descriptor is None:
            error = Errno.BADF
        elif not descriptor.rights & Rights.POLL_FD_READWRITE:
            error = Errno.NOTCAPABLE
        elif isinstance(descriptor.node, (File, HostFile)) and tag == EventType.FD_READ:
            available = max(descriptor.node.size - descriptor.offset, 0)
        return EVENT.pack(userdata, error, tag, available, 0)

"""The example: one process loads, cleans and plots real data, others go on with everything it made.

What the guest computes is compared with the same done here, by another Python and another pandas.
"""

import ast
import base64
import json
import os
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from torpor.config import Config

EXAMPLES = Path(__file__).parents[2] / "examples"
TORPOR = Path(sys.executable).with_name("torpor")


class Session:
    """`torpor run -s demo --json`, each call a process of its own."""

    def __init__(self, config: Config, home: Path) -> None:
        self._environ = {**os.environ, "TORPOR_HOME": str(home), "TORPOR_CACHE": str(config.cache)}

    def run(self, *arguments: str) -> Any:
        command = [str(TORPOR), "run", "-s", "demo", "--json", *arguments]
        ended = subprocess.run(command, env=self._environ, capture_output=True, text=True)
        assert ended.returncode == 0, ended.stdout + ended.stderr
        return json.loads(ended.stdout)

    def value(self, code: str) -> str:
        [result] = self.run("-c", code)["results"]
        return str(result["text"])


@pytest.fixture(scope="module")
def session(shared_config: Config, tmp_path_factory: pytest.TempPathFactory) -> Session:
    return Session(shared_config, tmp_path_factory.mktemp("example"))


@pytest.fixture(scope="module")
def first(session: Session) -> Any:
    """The result of the script itself."""
    return session.run(str(EXAMPLES / "analysis.py"))


@pytest.fixture(scope="module")
def expected() -> pd.DataFrame:
    """The cleaned table, made in another way than the example makes it."""
    raw = pd.read_csv(EXAMPLES / "data" / "weather.csv")
    assert len(raw) > 5_000
    rows = []
    for airport, hours in raw.groupby("origin"):
        middle = hours["temp"].rolling(5, center=True, min_periods=1).median()
        kept = hours[(hours["temp"] - middle).abs() * 5 / 9 < 10]
        rows += [
            {
                "airport": airport,
                "time": pd.Timestamp(row.year, row.month, row.day, row.hour),
                "celsius": (row.temp - 32) / 1.8,
                "wind_ms": row.wind_speed * 0.44704 if row.wind_speed < 200 else float("nan"),
                "rain_mm": row.precip * 25.4,
            }
            for row in kept.itertuples()
        ]
    return pd.DataFrame(rows).set_index("time")


def test_the_script_reports_what_it_read_and_kept(first: Any, expected: pd.DataFrame) -> None:
    raw = pd.read_csv(EXAMPLES / "data" / "weather.csv")
    assert first["logs"]["stdout"][0] == f"{len(raw):,} rows read, {len(expected):,} kept"
    assert len(expected) < len(raw)


def test_the_plot_is_a_picture(first: Any) -> None:
    [plot] = [result["png"] for result in first["results"] if result.get("png")]
    width, height, pixels = decode_png(base64.b64decode(plot))
    assert width > 500
    assert height > 250
    assert len(set(pixels)) > 50


@pytest.mark.usefixtures("first")
def test_a_new_process_groups_to_the_same_numbers(session: Session, expected: pd.DataFrame) -> None:
    code = (
        "table = weather.groupby(['airport', weather.index.month], observed=True)"
        "[['celsius', 'wind_ms', 'rain_mm']].mean()\n"
        "[[*key, *row] for key, row in zip(table.index.tolist(), table.values.tolist())]"
    )
    [result] = session.run("-c", code)["results"]
    columns = ["celsius", "wind_ms", "rain_mm"]
    table = expected.groupby(["airport", expected.index.month])[columns].mean()
    assert len(table) == 18
    assert result["json"] == [
        [*key, *map(pytest.approx, row)]
        for key, row in zip(table.index.tolist(), table.to_numpy().tolist(), strict=True)
    ]


@pytest.mark.usefixtures("first")
def test_the_generator_goes_on_where_it_stood(session: Session, expected: pd.DataFrame) -> None:
    days = expected["celsius"].resample("D").mean().sort_values(ascending=False)
    day, celsius = ast.literal_eval(session.value("day, celsius = next(warmest); (day, float(celsius))"))
    assert (day, celsius) == (str(days.index[1].date()), pytest.approx(days.iloc[1], abs=0.06))


@pytest.mark.usefixtures("first")
def test_the_open_file_goes_on_where_it_stood(session: Session) -> None:
    second = (EXAMPLES / "data" / "weather.csv").read_text().splitlines(keepends=True)[1]
    assert session.value("source.readline()") == repr(second)


@pytest.mark.usefixtures("first")
def test_lambdas_classes_and_objects_still_work(session: Session, expected: pd.DataFrame) -> None:
    lga = expected[expected["airport"] == "LGA"]
    wettest = str(lga["rain_mm"].resample("D").sum().idxmax().date())
    assert session.value("airports['LGA'].wettest_day()") == repr(wettest)
    assert (
        session.value("Airport('again', weather).wettest_day() and len(clean(raw)) == len(weather)") == "True"
    )
    assert session.value("METRIC['rain_mm'](pd.DataFrame({'precip': [2.0]})).tolist()") == "[50.8]"


def decode_png(data: bytes) -> tuple[int, int, bytes]:
    """Width, height and raw scan lines of a PNG, with every checksum checked."""
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    chunks = list(png_chunks(data))
    assert [chunks[0][0], chunks[-1][0]] == [b"IHDR", b"IEND"]
    width, height, depth, colour = struct.unpack_from(">IIBB", chunks[0][1])
    pixels = zlib.decompress(b"".join(body for kind, body in chunks if kind == b"IDAT"))
    channels = {2: 3, 6: 4}[colour]
    assert len(pixels) == height * (1 + width * channels * depth // 8)
    return width, height, pixels


def png_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    position = 8
    while position < len(data):
        length, kind = struct.unpack_from(">I4s", data, position)
        body = data[position + 8 : position + 8 + length]
        (checksum,) = struct.unpack_from(">I", data, position + 8 + length)
        assert zlib.crc32(kind + body) == checksum
        yield kind, body
        position += 12 + length

"""Half a year of weather at New York's airports: load it, clean it, plot it, and leave it for later.

    torpor run -s demo examples/analysis.py
    torpor run -s demo -c "weather.groupby('airport')['celsius'].mean()"

The second command is another process. What this script made is still there: the table, the functions,
the class and its objects, the half-consumed generator, the open file and its position.
"""
# /// script
# [tool.torpor]
# files = ["data/weather.csv"]
# ///

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import matplotlib.pyplot as plt
import pandas as pd

METRIC: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "celsius": lambda raw: (raw["temp"] - 32) * 5 / 9,
    "wind_ms": lambda raw: raw["wind_speed"] * 0.44704,
    "rain_mm": lambda raw: raw["precip"] * 25.4,
}


def clean(raw: pd.DataFrame) -> pd.DataFrame:
    """One row an hour and airport, in metric units, without what no instrument can have measured."""
    frame = pd.DataFrame({name: convert(raw) for name, convert in METRIC.items()})
    frame.insert(0, "airport", raw["origin"].astype("category"))
    frame.index = pd.to_datetime(raw[["year", "month", "day", "hour"]]).rename("time")
    frame.loc[frame["wind_ms"] > 100, "wind_ms"] = float("nan")
    neighbours = frame.groupby("airport", observed=True)["celsius"].transform(
        lambda hours: hours.rolling(5, center=True, min_periods=1).median()
    )
    return frame[(frame["celsius"] - neighbours).abs() < 10].sort_index(kind="stable")


@dataclass
class Airport:
    """What one airport had of the weather."""

    name: str
    hours: pd.DataFrame

    def wettest_day(self) -> str:
        return str(self.hours["rain_mm"].resample("D").sum().idxmax().date())

    def __str__(self) -> str:
        return f"{self.name}: {len(self.hours):,} hours, wettest on {self.wettest_day()}"


def warmest_days(frame: pd.DataFrame) -> Iterator[tuple[str, float]]:
    """Days from the warmest on, each with its mean temperature."""
    days = frame["celsius"].resample("D").mean().sort_values(ascending=False)
    for day, celsius in days.items():
        yield str(day.date()), round(celsius, 1)


raw = pd.read_csv("data/weather.csv")
weather = clean(raw)
print(f"{len(raw):,} rows read, {len(weather):,} kept")

airports = {name: Airport(name, hours) for name, hours in weather.groupby("airport", observed=True)}
for airport in airports.values():
    print(airport)

warmest = warmest_days(weather)
print("warmest day:", next(warmest))

source = open("data/weather.csv")  # noqa: SIM115 - left open: it is open in the next process too
print("columns:", source.readline().strip())

figure, axes = plt.subplots(figsize=(8, 4))
daily = weather.groupby("airport", observed=True)["celsius"].resample("D").mean().unstack("airport")
daily.plot(ax=axes, linewidth=1, title="Daily mean temperature, January to June 2013", xlabel="", ylabel="°C")
plt.show()

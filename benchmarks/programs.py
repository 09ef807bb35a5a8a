"""The code that every contestant runs, the same for all."""

#: pandas used for the first time in a new context.
FIRST_RESULT = "import pandas as pd\nint(pd.DataFrame({'a': [1, 2, 3]})['a'].sum())"
#: A step so small that only what surrounds it counts.
STEP = "x = globals().get('x', 0) + 1"
#: 10,000,000 bytes of floats, new ones each time: random data does not compress.
FRAME = (
    "import numpy as np, pandas as pd\nframe = pd.DataFrame({'a': np.random.default_rng().random(1_250_000)})"
)
FRAME_MB = 10

"""The model that make_pythonfmu.py turns into an FMU: a first-order lag, exact for constant input."""
from math import exp

from pythonfmu import Fmi2Causality, Fmi2Slave, Fmi2Variability, Real


class Lag(Fmi2Slave):
    """tau y' = u - y, y(0) = 1."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.u = 0.0
        self.y = 1.0
        self.tau = 2.0
        self.register_variable(Real("u", causality=Fmi2Causality.input))
        self.register_variable(Real("y", causality=Fmi2Causality.output))
        self.register_variable(Real("tau", causality=Fmi2Causality.parameter, variability=Fmi2Variability.tunable))

    def do_step(self, current_time, step_size):
        self.y += (self.u - self.y) * (1.0 - exp(-step_size / self.tau))
        return True

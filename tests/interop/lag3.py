"""The model that make_pythonfmu3.py turns into an FMU of FMI 3.0: a first-order lag, exact for constant input, that counts its steps."""
from math import exp

from pythonfmu3 import Float64, Fmi3Causality, Fmi3Slave, Fmi3StepResult, Fmi3Variability, Int64


class Lag3(Fmi3Slave):
    """tau y' = u - y, y(0) = 1; count(0) = 2^53 + 1, which no floating-point number holds."""

    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.time = 0.0
        self.u = 0.0
        self.y = 1.0
        self.tau = 2.0
        self.count = 2**53 + 1
        self.register_variable(Float64("time", causality=Fmi3Causality.independent, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("u", causality=Fmi3Causality.input, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("y", causality=Fmi3Causality.output, variability=Fmi3Variability.continuous))
        self.register_variable(Float64("tau", causality=Fmi3Causality.parameter, variability=Fmi3Variability.tunable))
        self.register_variable(Int64("count", causality=Fmi3Causality.output, variability=Fmi3Variability.discrete))

    def do_step(self, current_time, step_size):
        self.y += (self.u - self.y) * (1.0 - exp(-step_size / self.tau))
        self.count += 1
        return Fmi3StepResult()

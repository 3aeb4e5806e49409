"""What the scripts that couple two FMUs share: arguments, the connections of predator-prey, and the table that they print.

Usage of each: SCRIPT PREY.fmu PREDATOR.fmu STEP_SIZE STEPS
Output: CSV with all digits, a row for the start and one after each step.
"""
import sys

# (source instance, variable) -> (target instance, variable); the recorded variables are the sources.
CONNECTIONS = [(("prey", "x"), ("predator", "x")), (("predator", "y"), ("prey", "y"))]
RECORDED = [source for source, _ in CONNECTIONS]


def arguments():
    """Paths by instance name, step size, number of steps."""
    _, prey, predator, step_size, steps = sys.argv
    return {"prey": prey, "predator": predator}, float(step_size), int(steps)


def print_table(rows):
    """Prints rows of (time, prey.x, predator.y) with the shortest digits that read back to the same number."""
    print("time," + ",".join(f"{instance}.{variable}" for instance, variable in RECORDED))
    for row in rows:
        print(",".join(repr(float(value)) for value in row))

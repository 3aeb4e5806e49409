"""Results that are not within their tolerance never look like results that are."""

from __future__ import annotations

import logging
import math
import pickle
from pathlib import Path
from typing import Any

import pytest

import lotka


class Digits(lotka.Model):
    """A wave that is known to five digits only."""

    y = lotka.Output(0.0)
    u = lotka.Input(0.0)

    def step(self, t: float, h: float) -> None:
        self.y = round(math.sin(t + h) + 1e-3 * self.u * h, 5)


class Relay(lotka.Model):
    """Follows a wave by switching, where nobody declares it."""

    x = lotka.Output(0.0)
    u = lotka.Input(0.0)

    def step(self, t: float, h: float) -> None:
        self.x += h * (-1.0 if self.u > math.sin(3.0 * t) else 1.0)


def pair(model: type[lotka.Model], output: str) -> lotka.System:
    system = lotka.System()
    system.instance("a", model()).instance("b", model())
    return system.connect({"a.u": f"b.{output}", "b.u": f"a.{output}"}).stop(5.0).output_interval(0.5)


def few_calls(predator_prey: Path) -> lotka.System:
    return lotka.System.from_file(predator_prey).tolerance(1e-12).max_calls(3000)


def test_a_missed_tolerance_raises_with_everything_in_it(predator_prey: Path) -> None:
    with pytest.raises(lotka.ToleranceNotReached) as raised:
        lotka.run(predator_prey, tolerance=1e-12, max_calls=3000)
    missed = raised.value
    assert isinstance(missed, lotka.RunFailure) and missed.code == "tolerance-not-reached"
    assert missed.rows is not None and missed.rows.n_rows == 101 and missed.rows.reached is False
    assert missed.report["end"] == "tolerance-not-reached" and missed.reason == missed.report["reason"]
    assert missed.estimate is not None and missed.estimate > 1e-12
    assert str(missed).startswith("tolerance 1e-12 not reached; the error of `") and "limit: 3000" in str(missed)
    again = pickle.loads(pickle.dumps(missed))
    assert type(again) is lotka.ToleranceNotReached and again.estimate == missed.estimate


@pytest.mark.parametrize(("model", "output"), [(Digits, "y"), (Relay, "x")])
def test_it_raises_whatever_the_reason(model: type[lotka.Model], output: str) -> None:
    with pytest.raises(lotka.ToleranceNotReached) as raised:
        pair(model, output).run(tolerance=1e-9, max_calls=20000)
    assert raised.value.rows is not None and raised.value.rows.time[-1] == 5.0 and raised.value.reason


def test_who_wants_the_rows_gets_them_with_a_warning(predator_prey: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "lotka"):
        result = few_calls(predator_prey).run(on_miss="warn")
    assert "tolerance 1e-12 not reached; " in caplog.text and "[tolerance-not-reached]" in caplog.text
    assert result.reached is False and result.n_rows == 101
    assert result.verdict is not None and result.verdict.startswith("tolerance 1e-12 not reached; ")
    assert repr(result).startswith(result.verdict)
    assert next(iter(result.report.items())) == ("verdict", result.verdict)
    page = result.html()
    assert page.index('class="verdict bad"') < page.index("Tolerance 1e-12 not reached; ") < page.index("<table")
    assert "Tolerance 1e-12 not reached; " in result._repr_html_()
    with pytest.raises(ValueError, match="expected on_miss"):
        few_calls(predator_prey).run(on_miss="ignore")  # type: ignore[arg-type]


def test_a_simulation_can_run_again_after_a_miss(predator_prey: Path) -> None:
    with few_calls(predator_prey).build() as simulation:
        for _ in range(2):
            with pytest.raises(lotka.ToleranceNotReached):
                simulation.run()
        assert simulation.run(on_miss="warn").reached is False


def test_an_exception_of_a_callback_counts_more_than_a_miss(predator_prey: Path) -> None:
    def on_row(time: float, row: dict[str, Any]) -> None:
        if time >= 3.0:
            raise StopIteration

    with pytest.raises(StopIteration) as raised:
        few_calls(predator_prey).run(on_row=on_row)
    assert raised.value.rows.reached is False  # type: ignore[attr-defined]


def test_a_kept_tolerance_says_what_is_unknown(predator_prey: Path) -> None:
    result = lotka.run(predator_prey, tolerance=1e-6)
    assert result.verdict is not None and result.verdict.startswith("tolerance 1e-6 kept by the coupling; ")
    assert result.verdict.endswith("error inside the FMUs unknown") and repr(result).startswith(result.verdict)
    assert lotka.run(predator_prey, step=0.1).verdict is None


def test_records_of_a_study_mark_what_was_missed(predator_prey: Path, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "lotka"):
        records = few_calls(predator_prey).study({"prey.x": [0.0, 10.0, 12.0], "predator.y": [0.0, 1.0, 1.0]}, jobs=2)
    assert records["status"].tolist() == ["ok", "tolerance-not-reached", "tolerance-not-reached"]
    assert records["reached"].tolist() == [True, False, False] and (records["final(prey.x)"][1:] > 1.0).all()
    assert repr(records) == "<3 runs: 2 tolerance-not-reached, 1 ok>"
    assert list(records.messages) == [1, 2] and "limit: 3000" in records.messages[1]
    assert "2 of 3 runs did not reach their tolerance" in caplog.text
    page = records.html()
    assert page.index("3 runs: 2 tolerance-not-reached, 1 ok") < page.index("Plots")


def test_sessions_promise_no_tolerance(predator_prey: Path) -> None:
    with pytest.raises(lotka.Error) as refused:
        few_calls(predator_prey).session()
    assert refused.value.code == "session-refused"


def test_a_session_that_fails_in_a_piece_raises(predator_prey: Path) -> None:
    with pytest.raises(lotka.RunFailure) as raised:
        with lotka.System.from_file(predator_prey).session(local_tolerance=1e-6, start={"prey.a": 1e9}) as session:
            assert not session.advance_to(5.0) and not session.can_continue
    assert raised.value.rows is not None and raised.value.rows.end == "failed"

"""The services of alerts that the interfaces use."""

from attrs import frozen

from footfall.application.alerts.backtest import Backtests
from footfall.application.alerts.measured_windows import AlertMeasures
from footfall.application.alerts.rule_follower import AlertFollower
from footfall.application.alerts.targets import AlertTargets
from footfall.application.ports.alerts.watches import AlertWatches


@frozen(kw_only=True)
class AlertServices:
    """Measuring, following and backtesting rules, telling targets, and where rules stand."""

    measures: AlertMeasures
    follower: AlertFollower
    backtests: Backtests
    targets: AlertTargets
    watches: AlertWatches

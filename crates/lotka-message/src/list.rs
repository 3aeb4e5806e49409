//! All codes.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// Stable name of a kind of message. The texts of messages may change from version to version; the names do not.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
            /// An FMU violates this rule of `lotka check`. `docs/checks.md` lists the rules.
            Rule(&'static str),
        }

        impl Code {
            /// All codes except the rules of `lotka check`.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The name, in kebab case.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)+
                    Self::Rule(name) => name,
                }
            }
        }
    };
}

codes! {
    /// The file violates the syntax of its format.
    Syntax = "syntax",
    /// A file, or its expanded content, exceeds a size limit.
    LimitExceeded = "limit-exceeded",
    /// An XML prefix is not declared.
    UndeclaredPrefix = "undeclared-prefix",
    /// The section is unknown.
    UnknownSection = "unknown-section",
    /// The key is unknown.
    UnknownKey = "unknown-key",
    /// A required key is missing.
    MissingKey = "missing-key",
    /// The value has the wrong type for its key.
    WrongType = "wrong-type",
    /// The value is not one of the allowed words.
    UnknownChoice = "unknown-choice",
    /// A number is outside of its range.
    OutOfRange = "out-of-range",
    /// A list has no entries.
    NoEntries = "no-entries",
    /// An entry occurs twice.
    DuplicateEntry = "duplicate-entry",
    /// Settings exclude each other.
    ConflictingSettings = "conflicting-settings",
    /// A setting has no effect together with the others.
    MeaninglessSetting = "meaningless-setting",

    /// There is no instance.
    NoInstances = "no-instances",
    /// The name is not allowed.
    BadName = "bad-name",
    /// The name is already in use.
    NameTaken = "name-taken",
    /// No instance has this name.
    UnknownInstance = "unknown-instance",
    /// The instance has no variable of this name.
    UnknownVariable = "unknown-variable",
    /// A name is not of the form `instance.variable`.
    NotAVariableName = "not-a-variable-name",

    /// The stop time is missing.
    NoStopTime = "missing-stop-time",
    /// The stop time is not after the start time.
    StopBeforeStart = "stop-before-start",
    /// The step size is missing.
    NoStepSize = "no-step-size",
    /// The experiment needs more steps than a counter can hold.
    TooManySteps = "too-many-steps",
    /// Steps would be shorter than a few distances between floating-point numbers.
    StepBelowResolution = "step-below-resolution",
    /// Sizes of steps are uneven because floating-point numbers are far apart.
    UnevenSteps = "uneven-steps",
    /// A tolerance is below the rounding error of numbers.
    ToleranceTooSmall = "tolerance-too-small",
    /// The output interval is not a multiple of the step.
    IntervalNotMultiple = "interval-not-multiple",

    /// A connection refers to a variable of the wrong causality.
    WrongCausality = "wrong-causality",
    /// The types of connected variables are incompatible.
    IncompatibleTypes = "incompatible-types",
    /// Only Real variables can be summed, scaled or added to.
    RealOnly = "real-only",
    /// Values of Real variables and texts cannot be mapped.
    NotMappable = "not-mappable",
    /// An input has two sources.
    TwoSources = "two-sources",
    /// Integers or booleans are read as numbers.
    ReadAsNumber = "read-as-number",
    /// Two units cannot be converted into each other.
    IncompatibleUnits = "incompatible-units",
    /// The system file names a unit that is not defined.
    UnknownUnit = "unknown-unit",
    /// An FMU names a unit that it does not define, so Lotka converts nothing.
    UndefinedUnit = "undefined-unit",
    /// A unit is defined twice, in different ways.
    UnitConflict = "unit-conflict",

    /// A variable has no start value that can be set.
    NoStartValue = "no-start-value",
    /// A value does not fit the type of its variable.
    ValueType = "value-type",
    /// A start value is outside of the range of its variable.
    BeyondLimits = "beyond-limits",
    /// A start value of a connected input has no effect.
    StartOfConnected = "start-of-connected",
    /// A value is ignored, because no variable accepts it.
    IgnoredValue = "ignored-value",
    /// A variable can be neither an unknown nor a residual of `solve`.
    UnfitForSolve = "unfit-for-solve",

    /// `order` does not list all instances.
    OrderIncomplete = "order-incomplete",
    /// An FMU lacks a capability that a method needs.
    MissingCapability = "missing-capability",
    /// An estimator has nothing to estimate the error from.
    UnfitEstimator = "unfit-estimator",
    /// An estimator does not see some errors.
    BlindEstimator = "blind-estimator",

    /// A variable cannot be an event indicator, or the level of one.
    NotAnEvent = "not-an-event",
    /// The order of the instances delays reactions to events.
    EventOrder = "event-order",
    /// A loop that reacts to events cannot be iterated.
    EventLoop = "event-loop",

    /// Two variables do not form a power bond.
    NotAPowerBond = "not-a-power-bond",
    /// Power bonds have no effect.
    PowerBondsUnused = "power-bonds-unused",

    /// A source does not cover the whole experiment.
    SourceTooShort = "source-too-short",
    /// A source or a scenario jumps where an FMU cannot stop.
    JumpOffGrid = "jump-off-grid",
    /// A variable cannot be changed during a run.
    CannotChange = "cannot-change",
    /// A run cannot be made in pieces, or not in this way.
    SessionRefused = "session-refused",
    /// An entry of a scenario ends before it begins.
    UntilBeforeAt = "until-before-at",

    /// A name or pattern of variables to record matches none.
    NoMatch = "no-match",
    /// No variable is recorded that the run is for.
    NothingRecorded = "nothing-recorded",

    /// A setting requires isolation, but the FMU runs in this process.
    NotIsolated = "not-isolated",
    /// FMUs that do not get along in one process run in separate ones.
    FmusParted = "fmus-parted",
    /// FMUs that do not get along run in one process, because the user asked for it.
    FmusMixed = "fmus-mixed",
    /// FMUs do not get along in one process, and there is no other one.
    FmusClash = "fmus-clash",
    /// A sandbox lists a path that does not exist.
    MissingPath = "missing-path",
    /// A sandbox permits writing to the contents of other FMUs.
    WritableCache = "writable-cache",

    /// An XML file is not an SSP system or a part of one.
    NotSsp = "not-ssp",
    /// An attribute is missing or has an invalid value.
    SspAttribute = "ssp-attribute",
    /// An element of SSP is not supported.
    SspUnsupported = "ssp-unsupported",
    /// An element of SSP has no effect.
    SspIgnored = "ssp-ignored",
    /// A referenced file or element does not exist.
    SspReference = "ssp-reference",
    /// Transformations of values contradict each other.
    SspTransformation = "ssp-transformation",
    /// Lotka's own annotation cannot be read.
    SspSettings = "ssp-settings",
    /// A package does not contain the requested description.
    SspNoDescription = "ssp-no-description",
    /// Systems are nested too deeply.
    NestedTooDeep = "nested-too-deep",
    /// Other tools cannot read everything in the converted system.
    SspExport = "ssp-export",
    /// An element of a system structure of the Open Simulation Platform is malformed.
    OspForm = "osp-form",
    /// An element of the Open Simulation Platform has no effect.
    OspIgnored = "osp-ignored",
    /// An entry of an INTO-CPS multi-model is malformed.
    MultiModelForm = "multi-model-form",
    /// An entry of an INTO-CPS multi-model has no effect.
    MultiModelIgnored = "multi-model-ignored",
    /// A file does not describe a system.
    NotASystem = "not-a-system",
    /// A line of a MasterSim project is malformed.
    MsimForm = "msim-form",
    /// A setting of MasterSim has no effect.
    MsimIgnored = "msim-ignored",

    /// A file cannot be read.
    UnreadableFile = "unreadable-file",
    /// A file cannot be written.
    UnwritableFile = "unwritable-file",
    /// The first line of a table, or a name in it, is wrong.
    TableHeader = "table-header",
    /// A row of a table is wrong as a whole.
    TableRow = "table-row",
    /// The times of a table are wrong.
    TableTime = "table-time",
    /// A value of a table is wrong.
    TableValue = "table-value",
    /// A table has numbers with a decimal comma.
    DecimalComma = "decimal-comma",
    /// The lines of a table end with a separator.
    TrailingComma = "trailing-comma",
    /// A table has too many values.
    TableTooLarge = "table-too-large",
    /// A binary file is not a table.
    TableFormat = "table-format",

    /// The model description of an FMU cannot be used.
    InvalidDescription = "invalid-description",
    /// An FMU violates the standard in a way that does not affect a run.
    OddFmu = "odd-fmu",
    /// A library of `preload-global` cannot be loaded.
    PreloadFailed = "preload-failed",
    /// The program for isolated FMUs cannot be found, started or used.
    NoHostProgram = "no-host-program",
    /// The program for isolated FMUs could not load, confine or instantiate an FMU.
    HostRefused = "host-refused",

    /// A call to an FMU returned an error.
    FmuError = "fmu-error",
    /// A call to an FMU returned OK with an invalid result.
    BadReply = "bad-reply",
    /// A call needs a capability that the FMU lacks.
    UnsupportedCall = "unsupported-call",
    /// An asynchronous step did not finish.
    StepPending = "step-pending",
    /// An FMU ended its process.
    ProcessEnded = "process-ended",
    /// A call took longer than its time limit.
    TimeLimit = "time-limit",
    /// An FMU cannot be used because another instance of it failed fatally.
    FmuLost = "fmu-lost",
    /// A process for an FMU cannot be started or waited for.
    NoProcess = "no-process",

    /// No initial values solve an algebraic loop.
    NoInitialValues = "no-initial-values",
    /// No steady state was found.
    NoSteadyState = "no-steady-state",
    /// An algebraic loop has more than one solution.
    SeveralSolutions = "several-solutions",
    /// A solution of an algebraic loop was found only from other values than the start values.
    SolutionElsewhere = "solution-elsewhere",
    /// An algebraic loop does not determine its values.
    UndeterminedValues = "undetermined-values",
    /// Noise limits how well the values of an algebraic loop satisfy its equations.
    NoisyLoop = "noisy-loop",
    /// Values in an algebraic loop are delayed by one step.
    DelayedLoop = "delayed-loop",

    /// A step was discarded and cannot be reduced.
    StepDiscarded = "step-discarded",
    /// An output is NaN or infinite.
    NotFinite = "not-finite",
    /// The iteration of a loop did not converge.
    NotConverged = "not-converged",
    /// The iteration of a loop did not converge, and the values of its last iteration were kept.
    LastIterateKept = "last-iterate-kept",
    /// Error control requires steps below the minimum.
    StepTooSmall = "step-too-small",
    /// Events repeat endlessly at the same time.
    EventChatter = "event-chatter",
    /// Instances cut steps so short that the run does not come to its end.
    NoProgress = "no-progress",
    /// An instance announced an event and did not report it.
    LostEvent = "lost-event",
    /// Steps were kept although their errors are above the tolerance.
    ErrorTestFailed = "error-test-failed",
    /// The errors of the results are far above the local tolerance.
    BeyondLocalTolerance = "beyond-local-tolerance",
    /// Errors of small steps are larger than estimated.
    OptimisticEstimates = "optimistic-estimates",
    /// An input has no source.
    UnconnectedInput = "unconnected-input",
    /// Outputs stay stale after each step.
    StaleOutputs = "stale-outputs",
    /// An FMU advances in internal steps of fixed size.
    InternalSteps = "internal-steps",
    /// An FMU refuses steps whose size is off by rounding.
    ExactSteps = "exact-steps",
    /// An FMU does not return exactly to its saved states.
    InexactRollback = "inexact-rollback",
    /// An FMU with other outputs in every run is run for a `tolerance`.
    NotRepeatable = "not-repeatable",
    /// An FMU did not keep a start value.
    StartValueLost = "start-value-lost",
    /// A derivative of an output is not finite.
    DerivativeNotFinite = "derivative-not-finite",
    /// An FMU could not be terminated after the run.
    TerminateFailed = "terminate-failed",
    /// An FMU logged a warning.
    LoggedByFmu = "logged-by-fmu",
    /// Log lines of FMUs were lost.
    LogLinesLost = "log-lines-lost",

    /// The tolerance of the results was not reached.
    ToleranceNotReached = "tolerance-not-reached",
    /// A tolerance is below what the rollback of an FMU allows.
    ToleranceBelowNoise = "tolerance-below-noise",
    /// An FMU needs a guarantee that a method cannot provide.
    NeedsPromise = "needs-promise",
    /// A relative tolerance cannot bound the error of a variable that passes through zero.
    RelativeToZero = "relative-to-zero",
    /// An instance ended the run inside a step, at a time that the others could not reach.
    EndedInsideStep = "ended-inside-step",
    /// A run ended before it had two rows to compare.
    EndedEarly = "ended-early",
    /// A run for a `tolerance` failed and was left out.
    RunLeftOut = "run-left-out",
    /// The error inside the FMUs could not be estimated.
    OwnErrorUnknown = "own-error-unknown",
    /// The error of a variable is not estimated.
    NotEstimated = "not-estimated",

    /// An FMU cannot serialize its state, so checkpoints are not possible.
    NoCheckpointOfFmu = "no-checkpoint-of-fmu",
    /// A run with `tolerance` has no checkpoints.
    NoCheckpointOfTolerance = "no-checkpoint-of-tolerance",
    /// A file is not a checkpoint, or not one that the command can continue from.
    NotACheckpoint = "not-a-checkpoint",
    /// A checkpoint was made by another version.
    CheckpointVersion = "checkpoint-version",
    /// A checkpoint is truncated.
    CheckpointCut = "checkpoint-cut",
    /// The checksum of a checkpoint does not match.
    CheckpointDamaged = "checkpoint-damaged",
    /// The system differs from the one in the checkpoint.
    CheckpointChanged = "checkpoint-changed",
    /// Records of a study belong to other inputs.
    SweepChanged = "sweep-changed",
    /// The rows before a checkpoint are missing.
    CheckpointRows = "checkpoint-rows",

    /// The command line is invalid.
    WrongUsage = "wrong-usage",
    /// The subcommand does not accept this kind of file.
    WrongKindOfFile = "wrong-kind-of-file",
    /// The rows need more memory than is available.
    NotEnoughMemory = "not-enough-memory",
    /// A recorded value is NaN or infinite.
    NotFiniteRecorded = "not-finite-recorded",
    /// An FMU has no sources, or does not need a library.
    NothingToCompile = "nothing-to-compile",
    /// The C compiler does not produce a usable library.
    NotCompiled = "not-compiled",
    /// The format cannot be inferred from the name of the file.
    UnknownFormat = "unknown-format",
    /// A file to be written already exists.
    FileExists = "file-exists",
    /// Results, checkpoints, a manifest or a report would overwrite an input of the run.
    WouldOverwrite = "would-overwrite",
    /// No file of results has this column.
    UnknownColumn = "unknown-column",
    /// Files of results have nothing that changes.
    NothingToPlot = "nothing-to-plot",
    /// No program opens a page.
    NoBrowser = "no-browser",
    /// A file is not a manifest.
    NotAManifest = "not-a-manifest",
    /// The last line of a results file is incomplete.
    UnfinishedLine = "unfinished-line",
    /// This format cannot hold texts.
    TextsLeftOut = "texts-left-out",
    /// A report is incomplete, because inputs changed after the run.
    ReportIncomplete = "report-incomplete",
    /// A drafted system needs changes before it runs.
    DraftIncomplete = "draft-incomplete",
    /// The code is unknown.
    UnknownCode = "unknown-code",
    /// A bug in Lotka.
    InternalError = "internal-error",
}

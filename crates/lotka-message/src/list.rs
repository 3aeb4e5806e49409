//! All codes.

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $variant:ident = $name:literal,)+) => {
        /// What kind of message one is, by a name that does not change from version to version. The texts of messages may.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum Code {
            $($(#[doc = $doc])+ $variant,)+
            /// A rule of `lotka check`, which an FMU breaks: `docs/checks.md` lists them.
            Rule(&'static str),
        }

        impl Code {
            /// All codes but the rules of `lotka check`.
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
    /// The file is not written in the syntax of its format.
    Syntax = "syntax",
    /// A file, or what it expands to, is larger than anything that is meant to be run.
    LimitExceeded = "limit-exceeded",
    /// A prefix of XML is used that is declared nowhere.
    UndeclaredPrefix = "undeclared-prefix",
    /// A section has a name that there is not.
    UnknownSection = "unknown-section",
    /// A key has a name that there is not.
    UnknownKey = "unknown-key",
    /// A key that must be there is not.
    MissingKey = "missing-key",
    /// A value is of another type than its key takes.
    WrongType = "wrong-type",
    /// A word is none of those that its key takes.
    UnknownChoice = "unknown-choice",
    /// A number is outside of its range.
    OutOfRange = "out-of-range",
    /// A list has no entries.
    NoEntries = "no-entries",
    /// The same is given twice.
    DuplicateEntry = "duplicate-entry",
    /// Settings exclude each other.
    ConflictingSettings = "conflicting-settings",
    /// A setting says nothing, as what it is about is not done.
    MeaninglessSetting = "meaningless-setting",

    /// There is no instance.
    NoInstances = "no-instances",
    /// A name is one that nothing can have.
    BadName = "bad-name",
    /// A name belongs to something else already.
    NameTaken = "name-taken",
    /// No instance has this name.
    UnknownInstance = "unknown-instance",
    /// The instance has no variable of this name.
    UnknownVariable = "unknown-variable",
    /// A name is not of the form `instance.variable`.
    NotAVariableName = "not-a-variable-name",

    /// Nothing says when to stop.
    NoStopTime = "missing-stop-time",
    /// The stop time is not after the start time.
    StopBeforeStart = "stop-before-start",
    /// Nothing says how large steps are.
    NoStepSize = "no-step-size",
    /// The experiment would take more steps than can be counted.
    TooManySteps = "too-many-steps",
    /// A tolerance is below the rounding of numbers.
    ToleranceTooSmall = "tolerance-too-small",
    /// The output interval is no multiple of the step.
    IntervalNotMultiple = "interval-not-multiple",

    /// A connection ends at a variable that cannot be an end of one.
    WrongCausality = "wrong-causality",
    /// Types of connected variables do not go together.
    IncompatibleTypes = "incompatible-types",
    /// Only Real variables can be summed, scaled or added to.
    RealOnly = "real-only",
    /// Values of Real variables and texts cannot be mapped.
    NotMappable = "not-mappable",
    /// An input has two sources.
    TwoSources = "two-sources",
    /// Integers or booleans are read as numbers.
    ReadAsNumber = "read-as-number",
    /// A unit does not convert to another.
    IncompatibleUnits = "incompatible-units",
    /// A unit that the system file names is defined nowhere.
    UnknownUnit = "unknown-unit",
    /// A unit that an FMU names is not defined by it, so that nothing is converted.
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
    /// A value is ignored, because nothing can take it.
    IgnoredValue = "ignored-value",
    /// A variable can be neither unknown nor residual of `solve`.
    UnfitForSolve = "unfit-for-solve",

    /// `order` does not list all instances.
    OrderIncomplete = "order-incomplete",
    /// An FMU cannot do what a method needs.
    MissingCapability = "missing-capability",
    /// An estimator finds nothing to estimate with.
    UnfitEstimator = "unfit-estimator",
    /// An estimator does not see some errors.
    BlindEstimator = "blind-estimator",

    /// A variable can be no event indicator, or no level of one.
    NotAnEvent = "not-an-event",
    /// The order of instances would make reactions to events late.
    EventOrder = "event-order",
    /// A loop that reacts to events cannot be iterated.
    EventLoop = "event-loop",

    /// Two variables are no power bond.
    NotAPowerBond = "not-a-power-bond",
    /// Power bonds are not looked at.
    PowerBondsUnused = "power-bonds-unused",

    /// A source has no values for the whole experiment.
    SourceTooShort = "source-too-short",
    /// A source or a scenario jumps where an FMU cannot stop.
    JumpOffGrid = "jump-off-grid",
    /// A variable cannot be changed during a run.
    CannotChange = "cannot-change",
    /// An entry of a scenario ends before it begins.
    UntilBeforeAt = "until-before-at",

    /// A name or pattern of variables to record matches none.
    NoMatch = "no-match",
    /// Nothing is recorded that the run is made for.
    NothingRecorded = "nothing-recorded",

    /// What isolation is needed for is asked of an FMU in this process.
    NotIsolated = "not-isolated",
    /// A sandbox lists a path that is not there.
    MissingPath = "missing-path",

    /// An XML file is no system of SSP, or no part of one.
    NotSsp = "not-ssp",
    /// An attribute is missing, or has a value that it cannot have.
    SspAttribute = "ssp-attribute",
    /// Something of SSP cannot be run.
    SspUnsupported = "ssp-unsupported",
    /// Something of SSP has no effect.
    SspIgnored = "ssp-ignored",
    /// A file or an element that is referred to is not there.
    SspReference = "ssp-reference",
    /// Transformations of values do not go together.
    SspTransformation = "ssp-transformation",
    /// The annotation with our own settings cannot be read.
    SspSettings = "ssp-settings",
    /// A package has no description of the name that is looked for.
    SspNoDescription = "ssp-no-description",
    /// Systems are nested too deep.
    NestedTooDeep = "nested-too-deep",
    /// Other tools will not see all of a system that was converted.
    SspExport = "ssp-export",
    /// Something in a system structure of the Open Simulation Platform has not the form that it needs.
    OspForm = "osp-form",
    /// Something of the Open Simulation Platform has no effect.
    OspIgnored = "osp-ignored",
    /// Something in a multi-model of INTO-CPS has not the form that it needs.
    MultiModelForm = "multi-model-form",
    /// Something of a multi-model of INTO-CPS has no effect.
    MultiModelIgnored = "multi-model-ignored",
    /// A file is something else than the description of a system.
    NotASystem = "not-a-system",
    /// A line of a project of MasterSim has not the form of its keyword.
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
    /// A table has more values than are read.
    TableTooLarge = "table-too-large",
    /// A binary file is no table.
    TableFormat = "table-format",

    /// The model description of an FMU cannot be used.
    InvalidDescription = "invalid-description",
    /// An FMU has an oddity that a run gets along with.
    OddFmu = "odd-fmu",
    /// A library of `preload-global` cannot be loaded.
    PreloadFailed = "preload-failed",
    /// The program for isolated FMUs cannot be found, started or used.
    NoHostProgram = "no-host-program",
    /// The program for isolated FMUs could not load, confine or instantiate one.
    HostRefused = "host-refused",

    /// A call to an FMU returned an error.
    FmuError = "fmu-error",
    /// A call to an FMU returned OK, and something that cannot be.
    BadReply = "bad-reply",
    /// A call needs what the FMU does not have.
    UnsupportedCall = "unsupported-call",
    /// A step that goes on by itself did not come to its end.
    StepPending = "step-pending",
    /// An FMU ended its process.
    ProcessEnded = "process-ended",
    /// A call took longer than its time limit.
    TimeLimit = "time-limit",
    /// An FMU cannot be used because another instance of it failed fatally.
    FmuLost = "fmu-lost",
    /// Processes for FMUs cannot be made or waited for.
    NoProcess = "no-process",

    /// No initial values solve an algebraic loop.
    NoInitialValues = "no-initial-values",
    /// No steady state was found.
    NoSteadyState = "no-steady-state",
    /// An algebraic loop has more than one solution.
    SeveralSolutions = "several-solutions",
    /// A solution of an algebraic loop was only found from elsewhere than the start values.
    SolutionElsewhere = "solution-elsewhere",
    /// An algebraic loop does not determine its values.
    UndeterminedValues = "undetermined-values",
    /// The values of an algebraic loop fit each other only as far as noise allows.
    NoisyLoop = "noisy-loop",
    /// Values in an algebraic loop follow each other with the delay of a step.
    DelayedLoop = "delayed-loop",

    /// A step was discarded and cannot be made smaller.
    StepDiscarded = "step-discarded",
    /// An output is NaN or infinite.
    NotFinite = "not-finite",
    /// The iteration of a loop did not converge.
    NotConverged = "not-converged",
    /// The iteration of a loop did not converge, and the values of its last iteration were kept.
    LastIterateKept = "last-iterate-kept",
    /// Error control asks for steps below the minimum.
    StepTooSmall = "step-too-small",
    /// Events follow each other at the same time without end.
    EventChatter = "event-chatter",
    /// Steps were kept although their errors are above the tolerance.
    ErrorTestFailed = "error-test-failed",
    /// Errors of small steps are larger than estimated.
    OptimisticEstimates = "optimistic-estimates",
    /// Outputs stay stale after each step.
    StaleOutputs = "stale-outputs",
    /// An FMU advances in steps of its own.
    InternalSteps = "internal-steps",
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
    /// An FMU needs a promise that a method cannot give.
    NeedsPromise = "needs-promise",
    /// A relative tolerance cannot bound the error of a variable that passes through zero.
    RelativeToZero = "relative-to-zero",
    /// An instance ended a run inside a step, where the others could not go.
    EndedInsideStep = "ended-inside-step",
    /// A run that others need ended before the stop time.
    EndedEarly = "ended-early",
    /// A run of a `tolerance` failed and is left out.
    RunLeftOut = "run-left-out",
    /// The FMUs' own error could not be looked for.
    OwnErrorUnknown = "own-error-unknown",
    /// Nothing is estimated of a variable.
    NotEstimated = "not-estimated",

    /// FMUs do not serialize their state, so that there are no checkpoints.
    NoCheckpointOfFmu = "no-checkpoint-of-fmu",
    /// There are no checkpoints of a run with `tolerance`.
    NoCheckpointOfTolerance = "no-checkpoint-of-tolerance",
    /// A file is no checkpoint, or not one that the command can go on from.
    NotACheckpoint = "not-a-checkpoint",
    /// A checkpoint was made by another version.
    CheckpointVersion = "checkpoint-version",
    /// A checkpoint ends too early.
    CheckpointCut = "checkpoint-cut",
    /// A checkpoint has other bytes than were written.
    CheckpointDamaged = "checkpoint-damaged",
    /// The system is not the one of the checkpoint.
    CheckpointChanged = "checkpoint-changed",
    /// The rows before a checkpoint are not there.
    CheckpointRows = "checkpoint-rows",

    /// The command line asks for what cannot be.
    WrongUsage = "wrong-usage",
    /// A file is of another kind than the subcommand is for.
    WrongKindOfFile = "wrong-kind-of-file",
    /// The rows need more memory than there is.
    NotEnoughMemory = "not-enough-memory",
    /// A recorded value is NaN or infinite.
    NotFiniteRecorded = "not-finite-recorded",
    /// An FMU has no sources, or needs no library.
    NothingToCompile = "nothing-to-compile",
    /// The C compiler makes no library that can be used.
    NotCompiled = "not-compiled",
    /// The name of a file does not tell its format.
    UnknownFormat = "unknown-format",
    /// A file that is to be written is there already.
    FileExists = "file-exists",
    /// Results, checkpoints, a manifest or a report would replace a file that is needed.
    WouldOverwrite = "would-overwrite",
    /// Neither file of a comparison has this column.
    UnknownColumn = "unknown-column",
    /// A file is no manifest.
    NotAManifest = "not-a-manifest",
    /// The last line of a file of results is not finished.
    UnfinishedLine = "unfinished-line",
    /// Texts have no place in a file of this format.
    TextsLeftOut = "texts-left-out",
    /// A report lacks what is no longer as it was when the system was run.
    ReportIncomplete = "report-incomplete",
    /// A drafted system does not run as it stands.
    DraftIncomplete = "draft-incomplete",
    /// There is no such code.
    UnknownCode = "unknown-code",
    /// A bug of lotka.
    InternalError = "internal-error",
}

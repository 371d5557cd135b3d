// What `explain` tells of a rule of the platform, by the id that plans and reports print beside a reason.

/** What the rule says; what it means for the reader; what to do, where there is something to do. Full sentences. */
export type RuleText = readonly [says: string, means: string, fix?: string];

/** By id. */
export type RuleTable = Readonly<Record<string, RuleText>>;

// The report of a period: how many conversations, how fast people answered, how visitors rated them, and what they asked in vain.

export type * from '../types/reports.ts';

/** Days of the longest period. */
export const maxReportDays = 366;

/** Questions in a report, and the number of conversations from which on a question is one of them. */
export const reportQuestions = { most: 50, from: 3 } as const;

/** The tables of a report that are exported. */
export const reportTables = ['figures', 'days', 'members', 'questions'] as const;
export type ReportTable = (typeof reportTables)[number];

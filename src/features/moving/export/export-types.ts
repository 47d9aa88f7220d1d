/** What an archive holds, in the words of the interface. */
export const EXPORT_TYPES = ['public', 'full_with_consent', 'full_without_consent'] as const;

/** One of these words. */
export type ExportTypeName = (typeof EXPORT_TYPES)[number];

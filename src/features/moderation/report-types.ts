/** What a message can be reported for: how clients name it to the server, and to people. */
export const REPORT_TYPES = [
  { key: 'spam', name: 'Spam' },
  { key: 'harassment', name: 'Harassment' },
  { key: 'inappropriate', name: 'Inappropriate content' },
  { key: 'norms', name: 'Violates community norms' },
  { key: 'other', name: 'Other reason' },
] as const;

type ReportType = (typeof REPORT_TYPES)[number];

/** What a message is reported for. */
export type ReportTypeKey = ReportType['key'];

/** The name of a type. */
export function reportTypeName(wanted: ReportTypeKey): string {
  return REPORT_TYPES.find(({ key }) => key === wanted)!.name;
}

import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../../platform/http/parameters/text';
import { refusal } from '../../../platform/errors/api-error';

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

/** The longest explanation, in Unicode code points. */
export const MAX_DESCRIPTION_LENGTH = 1_000;

const TYPES = REPORT_TYPES.map(({ key }) => key);
const UNKNOWN_TYPE = 'Invalid report_type: Value error, Not in the list of possible values';

/** Parameters of `POST /messages/{message_id}/report`. */
export class ReportMessageDto {
  /** ID of the message. */
  @PathParameter() message_id!: number;
  /** What is wrong with the message: a `key` of `server_report_message_types`. */
  @Parameter(oneOf(TYPES, { refusal: UNKNOWN_TYPE })) report_type!: ReportTypeKey;
  /** What the moderators ought to know besides; for `other` it has to be there. */
  @Parameter(text({ maxLength: MAX_DESCRIPTION_LENGTH }), { default: '' }) description!: string;
}

/** The type alone does not say what is wrong with the message. */
export class ExplanationRequired extends refusal('An explanation is required.') {}

/** The organization has no channel to which reports go. */
export class ReportsNotEnabled extends refusal('Message reporting is not enabled in this organization.') {}

import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { REPORT_TYPES, type ReportTypeKey } from './report-types';
import { refusal } from '../../platform/errors/api-error';

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

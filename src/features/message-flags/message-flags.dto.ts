import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';

/** Parameters of `POST /messages/flags` (spec, endpoint 19). */
export class UpdateFlagsDto {
  @Parameter(json.array(json.integer()))
  messages!: number[];

  @Parameter(text())
  op!: string;

  @Parameter(text())
  flag!: string;
}

/** Parameters of `POST /messages/flags/narrow` (groups reference 9.6). */
export class UpdateFlagsInNarrowDto {
  @Parameter(text())
  anchor!: string;

  @Parameter(json.boolean(), { default: true })
  include_anchor!: boolean;

  @Parameter(json.integer({ min: 0 }))
  num_before!: number;

  @Parameter(json.integer({ min: 0 }))
  num_after!: number;

  @Parameter(json.nullable(json.array(json.any(), { maxItems: 100 })))
  narrow!: unknown[] | null;

  @Parameter(text())
  op!: string;

  @Parameter(text())
  flag!: string;
}

/** Parameters of `POST /mark_stream_as_read` (groups reference 9.7). */
export class MarkChannelAsReadDto {
  @Parameter(json.integer())
  stream_id!: number;
}

/** Parameters of `POST /mark_topic_as_read`. */
export class MarkTopicAsReadDto extends MarkChannelAsReadDto {
  @Parameter(text())
  topic_name!: string;
}

/** Parameters of `GET /messages/{message_id}/read_receipts` (messages reference 5.5). */
export class ReadReceiptsDto {
  @PathParameter()
  message_id!: number;
}

import { json } from '../../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';

/** Parameters of `GET /users/me/{stream_id}/topics`. */
export class ListTopicsDto {
  /** ID of the channel. */
  @PathParameter()
  stream_id!: number;

  /** Whether the client knows the empty topic; otherwise it gets a name in its place. */
  @Parameter(json.boolean(), { default: false })
  allow_empty_topic_name!: boolean;
}

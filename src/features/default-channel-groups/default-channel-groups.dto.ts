import { json } from '../../platform/http/parameters/json';
import { Parameter, PathParameter } from '../../platform/http/parameters/parameter.decorator';
import { oneOf, text } from '../../platform/http/parameters/text';
import { MAX_CHANNELS } from './default-channel-groups.service';

/** The service checks names, with error texts of its own. */
const groupName = text({ unchecked: true });

const description = text({ maxLength: 1024 });

const channelNames = json.array(json.text(), { maxItems: MAX_CHANNELS });
const EXAMPLE = { example: ['design', 'frontend'] };

/** Parameters of `POST /default_stream_groups/create`. */
export class CreateDefaultChannelGroupDto {
  /** Name of the group. */
  @Parameter(groupName) group_name!: string;

  /** What its channels are for. */
  @Parameter(description) description!: string;

  /** Names of its channels. */
  @Parameter(channelNames, EXAMPLE) stream_names!: string[];
}

/** Parameters of what is done to a group. */
export class DefaultChannelGroupPathDto {
  /** ID of the group. */
  @PathParameter() group_id!: number;
}

/** Parameters of `PATCH /default_stream_groups/{group_id}`; one that is empty counts as left out, where both are. */
export class UpdateDefaultChannelGroupDto extends DefaultChannelGroupPathDto {
  /** Another name. */
  @Parameter(groupName, { optional: true }) new_group_name?: string;

  /** What its channels are for. */
  @Parameter(description, { optional: true }) new_description?: string;
}

/** Parameters of `PATCH /default_stream_groups/{group_id}/streams`. */
export class DefaultChannelGroupChannelsDto extends DefaultChannelGroupPathDto {
  /** Whether channels are added or removed. */
  @Parameter(
    oneOf(['add', 'remove'], { refusal: 'Invalid value for "op". Specify one of "add" or "remove".' }),
  )
  op!: 'add' | 'remove';

  /** Names of the channels. */
  @Parameter(channelNames, EXAMPLE) stream_names!: string[];
}

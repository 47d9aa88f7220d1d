import { ConfusingParameters } from '../../../platform/errors/request.errors';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { AskedObject } from './explain-permission.service';

const optional = { optional: true } as const;

/** Parameters of `GET /permissions/explain`: without an object, the action is the organization's. */
export class ExplainPermissionDto {
  /** ID of the account whose permission is explained. */
  @Parameter(json.integer()) user_id!: number;
  /** Name of the permission. */
  @Parameter(text()) action!: string;
  /** ID of the channel that it is about. */
  @Parameter(json.integer(), optional) channel_id?: number;
  /** ID of the user group that it is about. */
  @Parameter(json.integer(), optional) group_id?: number;
  /** ID of the message that it is about. */
  @Parameter(json.integer(), optional) message_id?: number;
}

/** @throws ConfusingParameters for several objects at once */
export function toAskedObject({
  channel_id: channelId,
  group_id: groupId,
  message_id: messageId,
}: ExplainPermissionDto): AskedObject {
  const given = Object.entries({ channel_id: channelId, group_id: groupId, message_id: messageId })
    .filter(([, id]) => id !== undefined)
    .map(([name]) => name);
  if (given.length > 1) throw new ConfusingParameters(given[0] as string, given[1] as string);
  if (channelId !== undefined) return { kind: 'channel', id: channelId };
  if (groupId !== undefined) return { kind: 'group', id: groupId };
  if (messageId !== undefined) return { kind: 'message', id: messageId };
  return { kind: 'organization', id: 0 };
}

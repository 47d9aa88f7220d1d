import { ConfusingParameters } from '../../platform/errors/request.errors';
import { json } from '../../platform/http/parameters/json';
import { Parameter } from '../../platform/http/parameters/parameter.decorator';
import { text } from '../../platform/http/parameters/text';
import type { AskedObject } from './explain-permission.service';

const optional = { optional: true } as const;

/** Parameters of `GET /permissions/explain`: without a channel or group, the action is the organization's. */
export class ExplainPermissionDto {
  @Parameter(json.integer()) user_id!: number;
  @Parameter(text()) action!: string;
  @Parameter(json.integer(), optional) channel_id?: number;
  @Parameter(json.integer(), optional) group_id?: number;
}

/** @throws ConfusingParameters for a channel and a group at once */
export function toAskedObject({
  channel_id: channelId,
  group_id: groupId,
}: ExplainPermissionDto): AskedObject {
  if (channelId !== undefined && groupId !== undefined) {
    throw new ConfusingParameters('channel_id', 'group_id');
  }
  if (channelId !== undefined) return { kind: 'channel', id: channelId };
  if (groupId !== undefined) return { kind: 'group', id: groupId };
  return { kind: 'organization', id: 0 };
}

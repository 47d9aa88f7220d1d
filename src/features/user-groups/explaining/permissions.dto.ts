import { ConfusingParameters } from '../../../platform/errors/request.errors';
import { json } from '../../../platform/http/parameters/json';
import { Parameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';
import type { WireType } from '../../../platform/http/parameters/wire-type';
import type { AskedObject } from './explain-permission.service';

const optional = { optional: true } as const;

const integer = json.integer();
const address = text();

/** An ID, or else an address. */
const idOrAddress: WireType<number | string> = {
  jsonSchema: { oneOf: [integer.jsonSchema, address.jsonSchema] },
  decode: (raw, at) => (raw.includes('@') ? address : integer).decode(raw, at),
};

/** Parameters of `GET /permissions/actions`: without an object, it is about the organization. */
export class ExplainActionsDto {
  /** ID or e-mail address of the account whose permissions are explained. */
  @Parameter(idOrAddress, { example: 'iris@example.com' }) user_id!: number | string;
  /** ID of the channel that it is about. */
  @Parameter(json.integer(), optional) channel_id?: number;
  /** ID of the user group that it is about. */
  @Parameter(json.integer(), optional) group_id?: number;
  /** ID of the message that it is about. */
  @Parameter(json.integer(), optional) message_id?: number;
}

/** Parameters of `GET /permissions/explain`: without an object, the action is the organization's. */
export class ExplainPermissionDto {
  /** ID or e-mail address of the account whose permission is explained. */
  @Parameter(idOrAddress, { example: 'iris@example.com' }) user_id!: number | string;
  /**
   * What is asked about. With `channel_id`: `see`, `read`, `subscribe`, `send_message`, `create_topic`, `administer`,
   * `add_subscribers`, `remove_subscribers`, `remove_own_bots`, or a setting of `PATCH /streams/{stream_id}` that names a
   * group. With `message_id`: `read`, `react`, `edit`, `delete`, `change_topic`, `change_channel`, `resolve_topic`. With
   * `group_id`: `update`, `deactivate`, `join`, `leave`, `add_members`, `remove_members`, `add_subgroups`,
   * `remove_subgroups`, `mention`. Without any of these: a setting of `PATCH /realm` that names a group. The refusal of
   * another word lists them all.
   */
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
}: Omit<ExplainPermissionDto, 'action'>): AskedObject {
  const given = Object.entries({ channel_id: channelId, group_id: groupId, message_id: messageId })
    .filter(([, id]) => id !== undefined)
    .map(([name]) => name);
  if (given.length > 1) throw new ConfusingParameters(given[0] as string, given[1] as string);
  if (channelId !== undefined) return { kind: 'channel', id: channelId };
  if (groupId !== undefined) return { kind: 'group', id: groupId };
  if (messageId !== undefined) return { kind: 'message', id: messageId };
  return { kind: 'organization', id: 0 };
}

import { PASSWORD_RULES } from '../../../platform/secrets/passwords';
import { Parameter, PathParameter } from '../../../platform/http/parameters/parameter.decorator';
import { text } from '../../../platform/http/parameters/text';

const optional = { optional: true } as const;

/** Longest texts of the form; names have a limit of their own. */
export const JOIN_LIMITS = { name: 100, email: 320, password: PASSWORD_RULES.maxLength } as const;

/** Key of an invitation in the path. */
export class InvitationKeyDto {
  /** Key of the invitation. */
  @PathParameter(text({ unchecked: true })) invitation_key!: string;
}

/** What an invited person fills in. */
export class JoinDto extends InvitationKeyDto {
  /** Name that is shown. */
  @Parameter(text({ maxLength: JOIN_LIMITS.name * 4 }), optional) full_name?: string;
  /** Real address, where the invitation names none. */
  @Parameter(text({ trim: true, maxLength: JOIN_LIMITS.email }), optional) email?: string;
  /** Password to sign in with; it has to be hard enough to guess. */
  @Parameter(text({ maxLength: JOIN_LIMITS.password }), optional) password?: string;
}

const CHANNEL_GROUP = /^channels_(\d{1,10})$/;

/** Name of the form field for a default channel group. */
export function channelGroupField(id: number): string {
  return `channels_${id}`;
}

/** The selected default channel groups. */
export function channelGroupsIn(fields: ReadonlyMap<string, string>): Set<number> {
  const ids = [...fields.keys()].map((name) => CHANNEL_GROUP.exec(name)?.[1]);
  return new Set(ids.filter((id) => id !== undefined).map(Number));
}

/** The key as it is in the link, which ends with a slash. */
export function keyOf({ invitation_key: key }: InvitationKeyDto): string {
  return key.endsWith('/') ? key.slice(0, -1) : key;
}

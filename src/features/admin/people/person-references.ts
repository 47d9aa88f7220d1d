/** A channel with permissions that only this person holds. */
interface HeldChannel {
  readonly channel_id: number;
  readonly name: string;
  readonly settings: readonly string[];
}

interface HeldGroup {
  readonly group_id: number;
  readonly name: string;
  readonly settings: readonly string[];
}

/** Everything that refers to a person and would be left without them; empty parts are omitted. */
export interface PersonReferences {
  readonly messages?: { readonly count: number; readonly newest_message_id: number };
  readonly bots?: readonly {
    readonly user_id: number;
    readonly full_name: string;
    readonly is_active: boolean;
  }[];
  readonly channels?: readonly HeldChannel[];
  readonly user_groups?: readonly HeldGroup[];
  readonly organization?: { readonly settings: readonly string[] };
}

/** Maximum number of names in a sentence; the list contains all of them. */
const NAMED_AT_MOST = 5;

/** The references as a sentence for people. */
export function explainReferences(references: PersonReferences): string {
  const { messages, bots, channels, user_groups: groups, organization } = references;
  const reasons = [
    messages && `sent ${messages.count} ${messages.count === 1 ? 'message' : 'messages'}`,
    bots && `owns ${bots.length === 1 ? 'the bot' : 'the bots'} ${named(bots.map((bot) => bot.full_name))}`,
    channels && `alone holds permissions of ${described('channel', channels)}`,
    groups && `alone holds permissions of ${described('user group', groups)}`,
    organization && `alone holds permissions of the organization (${organization.settings.join(', ')})`,
  ];
  return `This person ${reasons.filter(Boolean).join(', and ')}.`;
}

function described(kind: string, held: readonly { name: string; settings: readonly string[] }[]): string {
  const names = held.map(({ name, settings }) => `${name} (${settings.join(', ')})`);
  return `the ${kind}${held.length === 1 ? '' : 's'} ${named(names)}`;
}

function named(names: readonly string[]): string {
  const shown = names.slice(0, NAMED_AT_MOST).join(', ');
  return names.length > NAMED_AT_MOST ? `${shown} and ${names.length - NAMED_AT_MOST} more` : shown;
}

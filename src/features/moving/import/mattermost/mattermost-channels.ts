import type { JsonRow } from '../../../../platform/archives/json-rows';
import { channelNameKey } from '../../../channels/channels.module';
import type { ConvertedArchive } from '../converting/converted-archive';
import type { ConvertedPerson } from '../converting/converted-people';
import { numberOf, rowOf, rowsOf, textOf } from '../converting/loose';
import { usableChannelName } from '../records/usable-names';
import type { MattermostPeople } from './mattermost-people';

/** A channel, or a direct message conversation. */
export interface MattermostPlace {
  /** Recipient ID in the converted archive. */
  readonly recipientId: number;
  /** Names the place in the ledger. */
  readonly name: string;
  /** Null for direct messages. */
  readonly channel: { readonly id: number; readonly name: string; readonly team: string } | null;
}

interface Team {
  readonly id: number;
  readonly name: string;
  /** Whether every user of the server can join. */
  readonly isOpen: boolean;
  readonly members: Set<number>;
}

interface Channel extends MattermostPlace {
  readonly channel: { readonly id: number; readonly name: string; readonly team: string };
  readonly raw: JsonRow;
}

/** Default channels, which every member of a team is in. */
const DEFAULT_CHANNELS = new Set(['town-square', 'off-topic']);

/** Teams, channels and direct message conversations. */
export class MattermostChannels {
  private readonly teams = new Map<string, Team>();
  private readonly channels = new Map<string, Channel>();
  private readonly conversations = new Map<string, MattermostPlace>();
  private readonly names = new Set<string>();
  private recipients = 0;

  constructor(
    private readonly builder: ConvertedArchive,
    private readonly people: MattermostPeople,
  ) {}

  get hasOneTeam(): boolean {
    return this.teams.size === 1;
  }

  addTeam(raw: JsonRow): void {
    const handle = handleOf(raw, 'name');
    if (handle === '' || this.teams.has(handle)) {
      this.builder.note('left out', 'team', handle || null, 'Missing or duplicate name.');
      return;
    }
    const team = {
      id: this.teams.size + 1,
      name: textOf(raw, 'display_name') || handle,
      isOpen: raw.allow_open_invite === true,
      members: new Set<number>(),
    };
    this.teams.set(handle, team);
  }

  addChannel(raw: JsonRow): void {
    const [team, handle] = [handleOf(raw, 'team'), handleOf(raw, 'name')];
    const key = `${team}/${handle}`;
    if (handle === '' || !this.teams.has(team) || this.channels.has(key)) {
      this.builder.note('left out', 'channel', key, 'Missing team, or missing or duplicate name.');
      return;
    }
    const id = this.channels.size + 1;
    const given = textOf(raw, 'display_name').trim() || handle;
    const name = this.freeName(given, id, team);
    if (name !== given) this.builder.note('changed', 'channel', key, 'Name adjusted to the naming rules.');
    const recipientId = ++this.recipients;
    this.channels.set(key, { recipientId, name: key, channel: { id, name, team }, raw });
    this.builder.add('zerver_recipient', { id: recipientId, type: 2, type_id: id });
  }

  /** Subscribes a user to the channels listed in the user's line. */
  addMemberships(person: ConvertedPerson, raw: JsonRow): void {
    for (const team of rowsOf(raw, 'teams')) {
      const handle = handleOf(team, 'name');
      this.teams.get(handle)?.members.add(person.id);
      for (const membership of rowsOf(team, 'channels')) {
        const key = `${handle}/${handleOf(membership, 'name')}`;
        const channel = this.channels.get(key);
        if (channel === undefined) {
          this.builder.note(
            'left out',
            'membership',
            `${textOf(raw, 'username')} in ${key}`,
            'The export does not list the channel.',
          );
          continue;
        }
        const { recipientId } = channel;
        this.builder.add('zerver_subscription', {
          ...{ id: recipientId, user_profile: person.id, recipient: recipientId, active: true },
          is_muted: textOf(rowOf(membership, 'notify_props'), 'mark_unread') === 'mention',
          pin_to_top: membership.favorite === true,
        });
      }
    }
  }

  /** The channel of a team by its handle; null if unknown. */
  find(team: string, handle: string): MattermostPlace | null {
    return this.channels.get(`${team.toLowerCase()}/${handle.toLowerCase()}`) ?? null;
  }

  /** The conversation of some users, in any order. */
  among(members: readonly ConvertedPerson[]): MattermostPlace {
    const ids = [...new Set(members.map(({ id }) => id))].sort((a, b) => a - b);
    const key = ids.join(',');
    const known = this.conversations.get(key);
    if (known) return known;
    const id = ++this.recipients;
    const place = { recipientId: id, name: `direct/${id}`, channel: null };
    this.conversations.set(key, place);
    this.builder.add('zerver_recipient', { id, type: 3, type_id: id });
    for (const member of ids)
      this.builder.add('zerver_subscription', { id, user_profile: member, recipient: id, active: true });
    return place;
  }

  /** Writes channels and folders. */
  write(): void {
    const everybody = this.people.activeMembers();
    const hasFolders = this.teams.size > 1;
    if (hasFolders)
      for (const [handle, { id, name }] of this.teams)
        this.builder.add('zerver_channelfolder', { id, source_id: handle, name, order: id });
    for (const { channel, name, raw } of this.channels.values()) {
      const team = this.teams.get(channel.team);
      const isPublic = textOf(raw, 'type') === 'O';
      // Everyone can see public channels here, so those of a closed team must not become public.
      const isOfAll =
        this.hasOneTeam || team?.isOpen === true || [...everybody].every((id) => team?.members.has(id));
      if (isPublic && !isOfAll)
        this.builder.note(
          'changed',
          'channel',
          name,
          'Public channel of a closed team; imported as private.',
        );
      const isPrivate = !isPublic || !isOfAll;
      const isArchived = (numberOf(raw, 'deleted_at') ?? 0) > 0;
      const about = ['purpose', 'header'].map((field) => textOf(raw, field).replace(/\s+/g, ' ').trim());
      this.builder.add('zerver_stream', {
        ...{ id: channel.id, source_id: name, name: channel.name, invite_only: isPrivate },
        description: about.filter((text, at) => text !== '' && about.indexOf(text) === at).join(' · '),
        ...{ date_created: 0, creator: null, deactivated: isArchived },
        history_public_to_subscribers: !isPrivate || isPublic,
        folder: hasFolders ? team?.id : null,
      });
      if (this.hasOneTeam && !isPrivate && !isArchived && DEFAULT_CHANNELS.has(handleOf(raw, 'name')))
        this.builder.defaultChannel(channel.id);
    }
  }

  /** Makes names unique, because channels of several teams may have the same one. */
  private freeName(given: string, id: number, team: string): string {
    const isTaken = (key: string) => this.names.has(key);
    const plain = usableChannelName(given, id, () => false);
    const ofTeam = `${given} (${this.teams.get(team)?.name ?? team})`;
    const name = isTaken(channelNameKey(plain)) ? usableChannelName(ofTeam, id, isTaken) : plain;
    this.names.add(channelNameKey(name));
    return name;
  }
}

function handleOf(row: JsonRow, field: string): string {
  return textOf(row, field).toLowerCase();
}

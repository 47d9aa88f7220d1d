import { ArchiveRefused } from '../../../../platform/archives/unpacking';
import type { JsonRow } from '../../../../platform/archives/json-rows';
import type { OperatorContext } from '../../../../platform/operator/operator-commands';
import { ArchiveRow, RowUnusable } from '../records/archive-row';
import { IdMap, type Ledger, MessageIds } from '../records/ledger';
import type { ArchiveSource } from './archive-source';
import { FormerSite } from './former-site';

/** Folders of files, each with a list of its files. */
const FOLDERS = ['uploads', 'avatars', 'emoji', 'realm_icons'];

/** Highest existing IDs, after which imported rows are numbered. */
export interface IdBases {
  readonly account: number;
  readonly user_group: number;
  readonly channel: number;
  readonly channel_folder: number;
  readonly custom_emoji: number;
  readonly custom_profile_field: number;
  readonly attachment: number;
  readonly message: number;
}

/** Existing rows that replace their counterparts in the archive. */
export interface LocalFacts {
  /** ID of the only person. */
  readonly ownerId: number;
  /** Normalized address, as it must be unique. */
  readonly ownerEmail: string;
  /** IDs by address. */
  readonly systemBots: ReadonlyMap<string, number>;
  /** IDs by name. */
  readonly systemGroups: ReadonlyMap<string, number>;
}

/** Recipient of a message in the archive. */
export type Recipient =
  | { readonly channelId: number }
  | { readonly userId: number }
  /** All members, ascending. */
  | { readonly memberIds: readonly number[] };

/**
 * New IDs of everything in the archive, and other data that all steps need. The same for the same archive and bases.
 */
export class Survey {
  readonly accounts: IdMap;
  readonly groups: IdMap;
  readonly channels: IdMap;
  readonly folders: IdMap;
  readonly emoji: IdMap;
  readonly profileFields: IdMap;
  readonly attachments: IdMap;
  readonly messages: MessageIds;
  readonly clients = new Map<number, string>();
  readonly oldSite = new FormerSite();
  /** New IDs of bots. */
  readonly bots = new Set<number>();
  /** New IDs of active accounts. */
  readonly active = new Set<number>();
  /** New IDs of deleted people. They stay deleted: as placeholders, an invitation would bring them back. */
  readonly deleted = new Set<number>();
  /** For long inactive people, who lack rows of newer messages: the archive's ID of their last row; null if none. */
  readonly idle = new Map<number, number | null>();
  /** Number of people and bots in the archive, except system bots. */
  people = 0;
  private readonly recipients = new Map<number, Recipient>();

  private constructor(
    bases: IdBases,
    private readonly local: LocalFacts,
    private readonly ledger: Ledger,
  ) {
    this.accounts = new IdMap('person', bases.account);
    this.groups = new IdMap('group', bases.user_group);
    this.channels = new IdMap('channel', bases.channel);
    this.folders = new IdMap('channel folder', bases.channel_folder);
    this.emoji = new IdMap('emoji', bases.custom_emoji);
    this.profileFields = new IdMap('profile field', bases.custom_profile_field);
    this.attachments = new IdMap('file', bases.attachment);
    this.messages = new MessageIds(bases.message);
  }

  /** Reads every row of the archive once. @throws ArchiveRefused */
  static async of(
    source: ArchiveSource,
    { bases, local, ledger }: { bases: IdBases; local: LocalFacts; ledger: Ledger },
    context: OperatorContext,
  ): Promise<Survey> {
    const survey = new Survey(bases, local, ledger);
    // Converted archives use zero for the owner of this server.
    if (source.isForeign) survey.accounts.equate(0, local.ownerId);
    await survey.readMain(source);
    await survey.readMessages(source, context);
    for (const folder of FOLDERS) for await (const { row } of source.records(folder)) if (row === null) break;
    return survey;
  }

  /** @throws RowUnusable */
  recipient(old: number): Recipient {
    const recipient = this.recipients.get(old);
    if (recipient === undefined) throw new RowUnusable(`It goes to a recipient that is not there (${old}).`);
    return recipient;
  }

  private async readMain(source: ArchiveSource): Promise<void> {
    const named = new Map<number, string>();
    const recipients: [id: number, type: number, typeId: number][] = [];
    const members = new Map<number, Set<number>>();
    const groupIds: number[] = [];
    for await (const { table, row } of source.main()) {
      if (row === null) continue;
      this.usable(table, row, (each) => {
        if (table === 'zerver_userprofile' || table === 'zerver_userprofile_mirrordummy')
          this.addAccount(each);
        else if (table === 'zerver_userprofile_crossrealm') this.addSystemBot(each);
        else if (table === 'zerver_usergroup') groupIds.push(each.id());
        else if (table === 'zerver_namedusergroup') {
          if (each.flag('is_system_group')) named.set(each.id(), each.text('name'));
        } else if (table === 'zerver_stream') {
          this.channels.add(each.id());
          this.oldSite.addChannel(each.id(), each.text('name'));
        } else if (table === 'zerver_channelfolder') this.folders.add(each.id());
        else if (table === 'zerver_realmemoji') this.emoji.add(each.id());
        else if (table === 'zerver_customprofilefield') this.profileFields.add(each.id());
        else if (table === 'zerver_client') this.clients.set(each.id(), each.text('name').slice(0, 64));
        else if (table === 'zerver_recipient')
          recipients.push([each.id(), each.id('type'), each.id('type_id')]);
        else if (table === 'zerver_subscription') addMember(members, each);
      });
    }
    for (const id of groupIds) this.addGroup(id, named.get(id));
    for (const [id, type, typeId] of recipients) this.addRecipient(id, type, typeId, members.get(id));
    for await (const { table, row } of source.rows('attachment.json'))
      if (row) this.usable(table, row, (each) => void this.attachments.add(each.id()));
  }

  private usable(table: string, row: JsonRow, use: (row: ArchiveRow) => void): void {
    const each = new ArchiveRow(table, row);
    try {
      use(each);
    } catch (error) {
      if (!(error instanceof RowUnusable)) throw error;
      this.ledger.note('left out', table, each.name, error.message);
    }
  }

  private addAccount(row: ArchiveRow): void {
    const email = row.text('delivery_email').trim().toLowerCase();
    const isOwner = email === this.local.ownerEmail && !row.flag('is_bot');
    if (isOwner) this.accounts.equate(row.id(), this.local.ownerId);
    const id = isOwner ? this.local.ownerId : this.accounts.add(row.id());
    this.people++;
    if (row.flag('is_bot')) this.bots.add(id);
    if (row.flag('is_active') && row.table === 'zerver_userprofile') this.active.add(id);
    else if (isDeleted(row)) this.deleted.add(id);
    if (row.flag('long_term_idle')) this.idle.set(id, row.optionalId('last_active_message_id'));
  }

  /** System bots already exist here, under other IDs. */
  private addSystemBot(row: ArchiveRow): void {
    const { systemBots } = this.local;
    const bot =
      systemBots.get(row.text('email').toLowerCase()) ?? systemBots.get('notification-bot@zulip.com');
    if (bot !== undefined) this.accounts.equate(row.id(), bot);
  }

  private addGroup(id: number, systemName: string | undefined): void {
    try {
      const here = systemName === undefined ? undefined : this.local.systemGroups.get(systemName);
      if (here !== undefined) this.groups.equate(id, here);
      else this.groups.add(id);
    } catch (error) {
      if (!(error instanceof RowUnusable)) throw error;
      this.ledger.note('left out', 'zerver_usergroup', id, error.message);
    }
  }

  private addRecipient(id: number, type: number, typeId: number, members?: ReadonlySet<number>): void {
    const one = type === 1 ? this.accounts.find(typeId) : type === 2 ? this.channels.find(typeId) : null;
    if (type === 1 && one !== null) this.recipients.set(id, { userId: one });
    else if (type === 2 && one !== null) this.recipients.set(id, { channelId: one });
    else if (type === 3 && members !== undefined) {
      const ids = [...members].flatMap((member) => this.accounts.find(member) ?? []);
      this.recipients.set(id, { memberIds: ids.sort((a, b) => a - b) });
    } else this.ledger.note('left out', 'zerver_recipient', id, 'It belongs to no account.');
  }

  private async readMessages(source: ArchiveSource, { signal, report }: OperatorContext): Promise<void> {
    for (const [at, name] of source.messageFiles.entries()) {
      // Reads everything, so that nothing is refused after something was written.
      for await (const { table, rows } of source.batches(name)) {
        signal.throwIfAborted();
        if (table === 'zerver_message') for (const row of rows) this.addMessage(name, row ?? {});
      }
      report({ done: at + 1, total: source.messageFiles.length, what: 'reading messages' });
    }
    if (this.messages.last > 2 ** 31 - 2 ** 20)
      throw new ArchiveRefused('messages', 'There are more messages than one organization can have.');
  }

  private addMessage(file: string, { id, date_sent: sentAt, content }: JsonRow): void {
    if (!Number.isSafeInteger(id)) throw new ArchiveRefused(file, 'A message has no ID.');
    const isNext = this.messages.add(id as number, typeof sentAt === 'number' ? sentAt : 0);
    if (!isNext) throw new ArchiveRefused(file, `Message ${id as number} is not in its order.`);
    this.oldSite.addText(content);
  }
}

/** Deleted accounts have a placeholder address and name, here and in Zulip. */
function isDeleted(row: ArchiveRow): boolean {
  return (
    /^deleteduser\d+@/.test(row.text('delivery_email')) && /^Deleted user \d+$/.test(row.text('full_name'))
  );
}

function addMember(members: Map<number, Set<number>>, row: ArchiveRow): void {
  const recipient = row.id('recipient');
  const known = members.get(recipient) ?? new Set();
  members.set(recipient, known.add(row.id('user_profile')));
}

import { type Role, roleName, Role as Roles } from '../../../../platform/actor';
import type { Transaction } from '../../../../platform/database/transaction.service';
import { ApiKeys } from '../../../../platform/secrets/api-keys';
import { insertRows, type NewRow } from '../../../../platform/sql/entity-rows';
import { type AccountRules, EMAIL_VISIBILITIES, emailKey } from '../../../users/users.module';
import type { ArchiveRow } from '../records/archive-row';
import { usableFullName } from '../records/usable-names';
import {
  chosenSettings,
  type ImportContext,
  type ImportStep,
  type PreparedStep,
  Unique,
  usableRows,
} from './import-context';

const BOT_TYPES = 4;

/** Bot type used if the archive's is invalid. */
const GENERIC_BOT = 1;

/** People and bots, with roles and settings. Imported accounts have no password or API key. */
export class PeopleStep implements ImportStep {
  readonly name = 'people';

  constructor(
    private readonly rules: AccountRules,
    private readonly emailDomain: string,
  ) {}

  async prepare(context: ImportContext): Promise<PreparedStep> {
    const addresses = new Unique();
    for (const address of context.local.systemBots.keys()) addresses.require(address);
    const rows = await usableRows(
      context,
      ['zerver_userprofile', 'zerver_userprofile_mirrordummy'],
      (row) => ({
        row: this.account(context, row, addresses),
      }),
    );
    const { ownerId } = context.local;
    const isMerged = rows.some(({ row }) => row.id === ownerId);
    if (!isMerged)
      context.ledger.note('added', 'account', ownerId, 'The owner of this server is not in the archive.');
    return async (tx) => {
      const added = rows.map(({ row }) => row).filter(({ id }) => id !== ownerId);
      // Owners are inserted before their bots.
      for (const isBot of [false, true]) {
        await insertRows(
          tx,
          'account',
          added.filter((row) => row.is_bot === isBot),
        );
      }
      const owner = rows.find(({ row }) => row.id === ownerId)?.row;
      if (owner) await this.mergeOwner(tx, owner);
    };
  }

  /** The server's owner keeps their role, password and API key. */
  private async mergeOwner(tx: Transaction, row: NewRow): Promise<void> {
    await tx.query(
      `UPDATE account SET full_name = ?, date_joined = ?, timezone = ?, email_visibility = ?, settings = ?,
         edited_settings = ?, avatar_version = ? WHERE id = ?`,
      [
        ...[row.full_name, row.date_joined, row.timezone, row.email_visibility, row.settings].map(
          (value) => value ?? null,
        ),
        row.edited_settings ?? null,
        row.avatar_version ?? null,
        row.id ?? null,
      ],
    );
  }

  private account(context: ImportContext, row: ArchiveRow, addresses: Unique): NewRow {
    const { survey, ledger } = context;
    const id = survey.accounts.get(row.id());
    const isBot = row.flag('is_bot');
    const isPlaceholder = row.table === 'zerver_userprofile_mirrordummy' || row.flag('is_mirror_dummy');
    const isDeleted = survey.deleted.has(id);
    const email = isDeleted ? `deleted-user-${id}` : this.email(context, row, addresses);
    const settings = chosenSettings(row, ledger);
    for (const power of ['is_staff', 'is_superuser', 'can_forge_sender'])
      if (row.flag(power)) ledger.note('changed', row.table, row.name, `"${power}" does not exist here.`);
    return {
      id,
      delivery_email: email,
      email_key: emailKey(email),
      full_name: isDeleted ? `Deleted user ${id}` : this.fullName(context, row),
      role: roleOf(context, row),
      is_active: survey.active.has(id) && !isPlaceholder,
      is_bot: isBot,
      is_system_bot: false,
      bot_type: isBot ? row.number('bot_type', { min: 1, max: BOT_TYPES, otherwise: GENERIC_BOT }) : null,
      bot_owner_id: isBot ? ownerOf(context, row) : null,
      password_hash: null,
      key_nonce: ApiKeys.newNonce(),
      date_joined: row.seconds('date_joined'),
      awaits_first_login: row.flag('is_imported_stub') && survey.active.has(id) && !isPlaceholder,
      timezone: timezoneOf(row),
      avatar_source: 'G',
      avatar_key: null,
      avatar_version: row.number('avatar_version', { min: 1, max: 2 ** 31 - 1, otherwise: 1 }),
      email_visibility: emailVisibilityOf(row),
      is_imported_stub: !isDeleted && (isPlaceholder || row.flag('is_imported_stub')),
      is_deleted: isDeleted,
      can_create_users: row.flag('can_create_users'),
      settings: JSON.stringify(settings),
      default_sending_channel_id: survey.channels.find(row.optionalId('default_sending_stream')),
      default_events_channel_id: survey.channels.find(row.optionalId('default_events_register_stream')),
      default_all_public_channels: row.flag('default_all_public_streams'),
      edited_settings: JSON.stringify(Object.keys(settings)),
    };
  }

  private email({ survey, ledger }: ImportContext, row: ArchiveRow, addresses: Unique): string {
    const given = row.text('delivery_email').trim();
    const isFree = !addresses.has(emailKey(given));
    if (isFree && this.rules.isUsableEmail(given)) {
      addresses.require(emailKey(given));
      return given;
    }
    const made = `imported-user-${survey.accounts.get(row.id())}@${this.emailDomain}`;
    const why = isFree ? 'Its address cannot be used.' : 'Another account has its address.';
    ledger.note('replaced', row.table, row.name, why);
    addresses.require(emailKey(made));
    return made;
  }

  private fullName({ ledger }: ImportContext, row: ArchiveRow): string {
    const given = row.text('full_name');
    const name = usableFullName(this.rules, given, `User ${row.id()}`);
    if (name !== given) ledger.note('changed', row.table, row.name, 'Name adjusted to the naming rules.');
    return name;
  }
}

function roleOf({ ledger }: ImportContext, row: ArchiveRow): Role {
  const role = row.value('role');
  if (typeof role === 'number' && roleName(role) !== undefined) return role as Role;
  ledger.note('replaced', row.table, row.name, 'Its role does not exist; it is a guest.');
  return Roles.guest;
}

function ownerOf({ survey, ledger }: ImportContext, row: ArchiveRow): number | null {
  const owner = survey.accounts.find(row.optionalId('bot_owner'));
  if (owner === null || survey.bots.has(owner)) {
    if (row.has('bot_owner')) ledger.note('changed', row.table, row.name, 'Its owner has no account.');
    return null;
  }
  return owner;
}

function timezoneOf(row: ArchiveRow): string {
  const zone = row.optionalText('timezone') ?? '';
  try {
    if (zone !== '') new Intl.DateTimeFormat('en', { timeZone: zone });
    return zone;
  } catch {
    return '';
  }
}

function emailVisibilityOf(row: ArchiveRow): number {
  const value = row.value('email_address_visibility');
  return EMAIL_VISIBILITIES.includes(value as number) ? (value as number) : 1;
}

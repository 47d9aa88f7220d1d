import {
  type FieldDeclaration,
  customProfileFieldRecord,
  customProfileFieldsChanged,
  type CustomProfileFieldWire,
  EXTERNAL_ACCOUNTS_STATE,
  NoSuchProfileField,
  PROFILE_FIELD_TYPES,
} from './custom-profile.api';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { initialState, stateFor } from '../../../platform/client-state/initial-state.hooks';
import { Hooks } from '../../../platform/hooks/hooks';
import { Database } from '../../../platform/database/database.service';
import type { Queryable, SqlValue } from '../../../platform/sql/queryable';
import type { Transaction } from '../../../platform/database/transaction.service';
import { AuditLog, differences } from '../../audit/audit.module';
import { AccountDirectory } from '../accounts/account.directory';
import { AccountChanges } from '../records/account-changes.service';
import {
  checkedFieldData,
  checkedKind,
  type FieldData,
  FieldKind,
  fitsMatching,
  fitsSummary,
  InvalidProfileField,
  knownExternalAccount,
} from './field-kinds';
import { CustomProfileField } from './custom-profile-field.entity';
import { ActorTransactions } from '../access/actor-transactions.service';

/** Maximum number of fields in the summary of a profile. */
const SUMMARY_FIELDS = 2;

/** The organization's profile fields: few rows, changed only by administrators. */
@Injectable()
export class CustomProfileFieldsService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly database: Database,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
    hooks: Hooks,
  ) {
    hooks.on(
      initialState,
      stateFor(
        'custom_profile_fields', // People without an account see no profiles.
        async (db, { reader }) => ({
          custom_profile_fields: reader ? await this.list(db) : [],
          custom_profile_field_types: PROFILE_FIELD_TYPES,
        }),
      ),
    );
    hooks.on(
      initialState,
      stateFor('realm', () => EXTERNAL_ACCOUNTS_STATE),
    );
  }

  /** Records of all fields in display order. */
  async list(db: Queryable = this.database.read): Promise<CustomProfileFieldWire[]> {
    return (await this.all(db)).map(customProfileFieldRecord);
  }

  /**
   * Adds a field at the end.
   * @returns its ID
   * @throws InvalidProfileField
   */
  create(actor: Actor, kind: number, declaration: FieldDeclaration): Promise<number> {
    return this.transactions.runForAdministrator(actor, async (tx, current) => {
      const fields = await this.all(tx);
      const data = declaration.data ?? {};
      const external = knownExternalAccount(kind, data);
      const field = tx.repository(CustomProfileField).create({
        name: external?.name ?? declaration.name ?? '',
        hint: external?.hint ?? declaration.hint ?? '',
        fieldData: '',
        position: 0,
        isInProfileSummary: declaration.isInProfileSummary ?? false,
        isRequired: declaration.isRequired ?? false,
        isEditableByUser: declaration.isEditableByUser ?? true,
        isUsedForMatching: declaration.isUsedForMatching ?? false,
      });
      requireName(field);
      const known = checkedKind(kind);
      field.type = known;
      field.fieldData = storedData(checkedFieldData(known, data));
      requireFit(field, fields);
      const { id } = await tx.repository(CustomProfileField).save(field);
      // Clients expect the position of a new field to be its ID.
      await tx.repository(CustomProfileField).update({ id }, { position: id });
      this.audit.record(tx, current, 'profile_field.created', { id }, { name: field.name });
      await this.announce(tx);
      return id;
    });
  }

  /** @throws NoSuchProfileField, InvalidProfileField */
  async update(actor: Actor, fieldId: number, declaration: FieldDeclaration): Promise<void> {
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const fields = await this.all(tx);
      const field = find(fields, fieldId);
      const before = audited(field);
      const data = JSON.parse(field.fieldData || '{}') as FieldData;
      if (knownExternalAccount(field.type, data)) requireSameIdentity({ ...field, data }, declaration);
      apply(field, declaration);
      requireName(field);
      requireFit(
        field,
        fields.filter(({ id }) => id !== fieldId),
      );
      await tx.repository(CustomProfileField).save(field);
      const changed = differences(before, audited(field));
      if (changed) this.audit.record(tx, current, 'profile_field.changed', { id: fieldId }, changed);
      if (field.type === FieldKind.options) await this.dropGoneOptions(tx, field);
      await this.announce(tx);
    });
  }

  /** @param order the IDs of all fields, in their new order. @throws InvalidProfileField */
  async reorder(actor: Actor, order: readonly number[]): Promise<void> {
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      for (const field of await this.all(tx)) {
        field.position = order.indexOf(field.id);
        if (field.position < 0) throw new InvalidProfileField('Invalid order mapping.');
        await tx.repository(CustomProfileField).save(field);
      }
      this.audit.record(tx, current, 'profile_field.reordered', {}, { order });
      await this.announce(tx);
    });
  }

  /** Removes a field with everything entered in it. @throws NoSuchProfileField */
  async remove(actor: Actor, fieldId: number): Promise<void> {
    await this.transactions.runForAdministrator(actor, async (tx, current) => {
      const { name } = find(await this.all(tx), fieldId);
      await forget(tx, 'field_id = ?', [fieldId]);
      await tx.repository(CustomProfileField).delete({ id: fieldId });
      this.audit.record(tx, current, 'profile_field.deleted', { id: fieldId }, { name });
      await this.announce(tx);
    });
  }

  private all(db: Queryable): Promise<CustomProfileField[]> {
    return db.repository(CustomProfileField).find({ order: { position: 'ASC', id: 'ASC' } });
  }

  /** Deletes the values of people who had chosen a removed option. */
  private async dropGoneOptions(tx: Transaction, field: CustomProfileField): Promise<void> {
    const keys = Object.keys(JSON.parse(field.fieldData) as FieldData);
    const userIds = await forget(tx, 'field_id = ? AND value NOT IN (?)', [field.id, keys]);
    for (const userId of userIds) {
      const account = this.accounts.existing(userId);
      await this.changes.announce(tx, account, { custom_profile_field: { id: field.id, value: null } });
    }
  }

  private async announce(tx: Transaction): Promise<void> {
    const fields = (await this.all(tx)).map(customProfileFieldRecord);
    tx.emit(customProfileFieldsChanged({ fields }), this.accounts.active);
  }
}

function find(fields: readonly CustomProfileField[], fieldId: number): CustomProfileField {
  const field = fields.find(({ id }) => id === fieldId);
  if (!field) throw new NoSuchProfileField(fieldId);
  return field;
}

/** The properties of a field whose changes are recorded. */
function audited(field: CustomProfileField) {
  const { name, hint, fieldData } = field;
  return {
    name,
    hint,
    field_data: fieldData,
    is_in_profile_summary: field.isInProfileSummary,
    is_required: field.isRequired,
    is_editable_by_user: field.isEditableByUser,
    is_used_for_matching: field.isUsedForMatching,
  };
}

function apply(field: CustomProfileField, { data, ...rest }: FieldDeclaration): void {
  const given = Object.entries(rest).filter(([, value]) => value !== undefined);
  Object.assign(field, Object.fromEntries(given));
  if (data !== undefined) field.fieldData = storedData(checkedFieldData(field.type as FieldKind, data));
}

function storedData(data: FieldData): string {
  return Object.keys(data).length === 0 ? '' : JSON.stringify(data);
}

function requireName({ name }: CustomProfileField): void {
  if (name === '') throw new InvalidProfileField('Label cannot be blank.');
}

/** Refuses changes to the name, hint and data of a known external account; unchanged values are accepted. */
function requireSameIdentity(
  field: Required<Pick<FieldDeclaration, 'name' | 'hint' | 'data'>>,
  { name = field.name, hint = field.hint, data = field.data }: FieldDeclaration,
): void {
  if (name !== field.name || hint !== field.hint || !isDeepStrictEqual(data, field.data)) {
    throw new InvalidProfileField('Default custom field cannot be updated.');
  }
}

function requireFit(field: CustomProfileField, others: readonly CustomProfileField[]): void {
  const kind = field.type as FieldKind;
  if (field.isInProfileSummary && !fitsSummary(kind)) {
    throw new InvalidProfileField('Field type not supported for display in profile summary.');
  }
  if (field.isUsedForMatching && !fitsMatching(kind)) {
    throw new InvalidProfileField('Field type not supported for use for user matching.');
  }
  if (
    field.isInProfileSummary &&
    others.filter((other) => other.isInProfileSummary).length >= SUMMARY_FIELDS
  ) {
    throw new InvalidProfileField(
      `Only ${SUMMARY_FIELDS} custom profile fields can be displayed in the profile summary.`,
    );
  }
  if (others.some((other) => other.name === field.name)) {
    throw new InvalidProfileField('A field with that label already exists.');
  }
}

/** Deletes values. @returns the users' IDs */
async function forget(tx: Transaction, condition: string, parameters: SqlValue[]): Promise<number[]> {
  const rows = await tx.query<{ user_id: number }>(
    `DELETE FROM custom_profile_value WHERE ${condition} RETURNING user_id`,
    parameters,
  );
  const userIds = rows.map((row) => row.user_id);
  tx.touch('profiles', userIds);
  return userIds;
}

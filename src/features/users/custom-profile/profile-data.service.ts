import { Injectable } from '@nestjs/common';
import { isAdministrator, type Actor } from '../../../platform/actor';
import type { Transaction } from '../../../platform/database/transaction.service';
import { Hooks } from '../../../platform/hooks/hooks';
import { AuditLog } from '../../audit/audit.module';
import { AccountDirectory } from '../accounts/account.directory';
import { AccountChanges } from '../records/account-changes.service';
import { ActorTransactions } from '../access/actor-transactions.service';
import { checkedValue, type GivenValue, isMarkdownKind } from './field-kinds';
import { NoSuchProfileField, ProfileFieldNotEditable } from './custom-profile.api';
import { CustomProfileField, CustomProfileValue } from './custom-profile-field.entity';
import { profileTextsPort } from '../users.hooks';

/** A person's new value of a field; null removes the value. */
export interface ProfileEntry {
  readonly fieldId: number;
  readonly value: GivenValue | null;
}

/** People's values of the organization's profile fields. */
@Injectable()
export class ProfileDataService {
  constructor(
    private readonly transactions: ActorTransactions,
    private readonly accounts: AccountDirectory,
    private readonly changes: AccountChanges,
    private readonly audit: AuditLog,
    private readonly hooks: Hooks,
  ) {}

  /** Changes the caller's own values. @throws NoSuchProfileField, ProfileFieldNotEditable, InvalidProfileValue */
  async updateOwn(actor: Actor, entries: readonly ProfileEntry[]): Promise<void> {
    await this.transactions.runExclusive(actor, (tx, current) =>
      this.update(tx, current, current.userId, entries),
    );
  }

  /**
   * Changes a person's values within a transaction. Of several values for one field only the last is stored, so that a
   * long list writes no more rows than there are fields.
   * @throws the errors of {@link updateOwn}
   */
  async update(
    tx: Transaction,
    actor: Actor,
    userId: number,
    entries: readonly ProfileEntry[],
  ): Promise<void> {
    const fields = await tx.repository(CustomProfileField).find();
    const values = new Map<CustomProfileField, string | null>();
    for (const { fieldId, value } of entries) {
      const field = fields.find(({ id }) => id === fieldId);
      if (!field) throw new NoSuchProfileField(fieldId);
      if (!field.isEditableByUser && !isAdministrator(actor)) throw new ProfileFieldNotEditable();
      values.set(field, value === null ? null : checkedValue(field, value, (id) => this.accounts.byId(id)));
    }
    for (const [field, value] of values) await this.store(tx, userId, field, value);
    if (userId === actor.userId || values.size === 0) return;
    const fields_changed = [...values.keys()].map(({ id }) => id);
    this.audit.record(tx, actor, 'user.profile_changed', { userId }, { fields: fields_changed });
  }

  private async store(
    tx: Transaction,
    userId: number,
    field: CustomProfileField,
    value: string | null,
  ): Promise<void> {
    const key = { userId, fieldId: field.id };
    const before = await tx.repository(CustomProfileValue).findOneBy(key);
    if ((before?.value ?? null) === value) return;
    const rendered = value !== null && isMarkdownKind(field.type) ? this.render(value) : null;
    if (value === null) await tx.repository(CustomProfileValue).delete(key);
    else await tx.repository(CustomProfileValue).save({ ...key, value, renderedValue: rendered });
    tx.touch('profiles', [userId]);
    const row = await this.changes.load(tx, userId);
    await this.changes.announce(tx, row, {
      custom_profile_field: {
        id: field.id,
        value,
        ...(rendered === null ? {} : { rendered_value: rendered }),
      },
    });
  }

  private render(markdown: string): string {
    return this.hooks.provider(profileTextsPort)?.render(markdown) ?? plainParagraph(markdown);
  }
}

/** Used if no feature renders Markdown: the text itself, escaped. */
function plainParagraph(text: string): string {
  return `<p>${text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)}</p>`;
}

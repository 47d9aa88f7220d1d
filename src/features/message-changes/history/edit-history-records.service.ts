import { Injectable } from '@nestjs/common';
import type { Queryable } from '../../../platform/sql/queryable';
import { Hooks } from '../../../platform/hooks/hooks';
import { type FieldsView, messageFields } from '../../messages/messages.module';
import { OrganizationDirectory } from '../../organization-settings/organization-settings.module';
import { EditHistoryService, visibleEdits } from './edit-history.service';
import { editWire, type EditWire } from './history.api';

/** What the records of one answer show: there may be thousands of edits, each with a copy of the content. */
const LIMITS = { editsPerMessage: 50, bytes: 2 * 2 ** 20 };

/** Adds `edit_history` to the records of messages. */
@Injectable()
export class EditHistoryRecordsService {
  constructor(
    private readonly history: EditHistoryService,
    private readonly organization: OrganizationDirectory,
    hooks: Hooks,
  ) {
    hooks.on(messageFields, (db, messages, view) =>
      this.fields(
        db,
        messages.map(({ id }) => id),
        view,
      ),
    );
  }

  /** One query, however many messages there are. */
  private async fields(
    db: Queryable,
    messageIds: readonly number[],
    { shownTopic }: FieldsView,
  ): Promise<Map<number, { edit_history: readonly EditWire[] }>> {
    const fields = new Map<number, { edit_history: EditWire[] }>();
    const { message_edit_history_visibility_policy: visibility } = this.organization.settings;
    if (visibility === 'none') return fields;
    const edits = await this.history.newest(db, messageIds, LIMITS);
    for (const edit of visibleEdits(edits, visibility)) {
      const wire = editWire(edit, shownTopic);
      const known = fields.get(edit.messageId);
      if (known) known.edit_history.push(wire);
      else fields.set(edit.messageId, { edit_history: [wire] });
    }
    return fields;
  }
}

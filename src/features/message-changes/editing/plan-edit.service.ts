import { Injectable } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { Database } from '../../../platform/database/database.service';
import type { Transaction } from '../../../platform/database/transaction.service';
import { MessageTextService } from '../../messages/messages.module';
import { UserAccess } from '../../users/users.module';
import type { EditRequest, PlannedEdit } from '../rights/planned-edit';
import { MessageLocksService } from '../locks/message-locks.service';
import { MessageEditAccess } from '../rights/message-edit.access';
import { MessageMoveAccess } from '../rights/message-move.access';
import { NewContentService, type NewContent } from './new-content.service';

/** An edit that may be made, its new content rendered. */
export interface CheckedEdit {
  readonly planned: PlannedEdit;
  /** Null where the content stays. */
  readonly content: NewContent | null;
}

/** An edit that was checked once, before the transaction. */
interface PreparedEdit {
  readonly messageId: number;
  readonly request: EditRequest;
  /** What {@link PlanEditService.check} prepared. */
  readonly content: NewContent | null;
}

/** Checks edits: once before anything slow or large is done, and once more when nothing can change any more. */
@Injectable()
export class PlanEditService {
  constructor(
    private readonly database: Database,
    private readonly editing: MessageEditAccess,
    private readonly moving: MessageMoveAccess,
    private readonly contents: NewContentService,
    private readonly texts: MessageTextService,
    private readonly locks: MessageLocksService,
    private readonly users: UserAccess,
  ) {}

  /** All checks of an edit, in the order in which clients are told of them. */
  async check(actor: Actor, messageId: number, request: EditRequest): Promise<CheckedEdit> {
    const db = this.database.read;
    const planned = await this.editing.plan(db, actor, messageId, request);
    const { message, move } = planned;
    const content =
      planned.content === null ? null : await this.contents.prepare(actor, message, planned.content);
    if (move) await this.moving.checkChannel(db, actor, message, move);
    return { planned, content };
  }

  /**
   * Locks everything the edit concerns until the transaction ends, and checks again: the editor may have been
   * deactivated, or lost a role or permission.
   * @throws Unauthorized, and what {@link check} throws
   */
  async lock(
    tx: Transaction,
    actor: Actor,
    { messageId, request, content }: PreparedEdit,
  ): Promise<CheckedEdit> {
    const { topic, channelId } = request;
    const isMove = topic !== undefined || channelId !== undefined;
    await this.locks.lock(tx, [messageId], {
      purpose: isMove ? 'move' : 'edit',
      target: { channelId, topic: topic === undefined ? undefined : this.texts.topic(topic) },
    });
    const current = this.users.current(actor);
    const planned = await this.editing.plan(tx, current, messageId, request);
    const renewed = content && (await this.contents.renew(tx, current, planned.message, content));
    if (planned.move) await this.moving.checkChannel(tx, current, planned.message, planned.move);
    return { planned, content: renewed };
  }
}

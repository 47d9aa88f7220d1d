import { Injectable } from '@nestjs/common';
import type { Actor } from '../../platform/actor';
import { Database } from '../../platform/database/database.service';
import { MessageAccess, MessageAudienceService } from '../messages/messages.module';
import { MutedUserDirectory } from '../personal/personal.module';
import { OrganizationDirectory } from '../organization-settings/organization-settings.module';
import { AccountDirectory, type AccountRecord, personalSetting, UserVisibility } from '../users/users.module';
import { ReadReceiptsDisabled } from './flags.api';

/** Tells who has read a message. */
@Injectable()
export class ReadReceiptsService {
  constructor(
    private readonly database: Database,
    private readonly organization: OrganizationDirectory,
    private readonly access: MessageAccess,
    private readonly audiences: MessageAudienceService,
    private readonly accounts: AccountDirectory,
    private readonly muted: MutedUserDirectory,
    private readonly visibility: UserVisibility,
  ) {}

  /**
   * Users who have read a message and send read receipts. Excludes the sender, and users who muted the actor or are
   * muted by the actor.
   * @throws ReadReceiptsDisabled, InvalidMessage
   */
  async of(actor: Actor, messageId: number): Promise<number[]> {
    if (!this.organization.settings.enable_read_receipts) throw new ReadReceiptsDisabled();
    const db = this.database.background;
    const { message } = await this.access.forReading(db, actor, messageId);
    const readers = (await this.audiences.readersOf(db, message)).flatMap(
      (id) => this.accounts.byId(id) ?? [],
    );
    const mutedByActor = this.muted.mutedBy(actor.userId);
    const mutersOfActor = this.muted.mutersOf(actor.userId);
    const listed = readers.filter(
      (reader) =>
        letsOthersKnow(reader) &&
        reader.id !== message.senderId &&
        !mutedByActor.has(reader.id) &&
        !mutersOfActor.has(reader.id),
    );
    return (await this.visibility.visible(db, actor, listed)).map(({ id }) => id);
  }
}

function letsOthersKnow(reader: AccountRecord): boolean {
  return reader.isActive && !reader.isSystemBot && personalSetting(reader.settings, 'send_read_receipts');
}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UploadsModule } from '../uploads/uploads.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { MessageChangesController, ReportsController } from './message-changes.controller';
import { ApplyEditService, PlanEditService, UpdateMessageService } from './editing/update-message.service';
import { ApplyMoveService, MovedPoliciesService, MovedReachService } from './moves/apply-move.service';
import { ChannelRowsService, MessageLocksService } from './locks/message-locks.service';
import { FillPicturesService, NewContentService } from './editing/new-content.service';
import {
  EditHistoryRecordsService,
  MessageHistoryService,
  ProtectedHistoryService,
} from './history/message-history.service';
import { EditHistoryService } from './history/edit-history.service';
import { MessageDeleteAccess, MessageEditAccess } from './rights/message-edit.access';
import { MessageMoveAccess } from './rights/message-move.access';
import { MovedReadingService, MoveMessagesService } from './moves/move-messages.service';
import { MoveNoticesService } from './moves/move-notices.service';
import { MessageActions } from './rights/message-actions.service';
import {
  DeleteMessagesService,
  ForgetTopicService,
  RemoveMessagesService,
} from './deletion/delete-messages.service';
import { EraseContentService } from './deletion/erase-content.service';
import { LegalHoldsCommandsService } from './deletion/legal-holds-commands.service';
import { LegalHoldsService } from './deletion/legal-holds.service';
import { RetentionService } from './deletion/retention.service';
import { ReportsService, ReportTextService } from './reports/reports.service';
import { MessageEdit } from './history/message-edit.entity';

/** Message edits, moves, deletions, edit history, and reports to moderators. */
@Module({
  imports: [
    TypeOrmModule.forFeature([MessageEdit]),
    AuditModule,
    OrganizationSettingsModule,
    UsersModule,
    UserGroupsModule,
    ChannelsModule,
    MessagesModule,
    UploadsModule,
  ],
  controllers: [MessageChangesController, ReportsController],
  providers: [
    ApplyEditService,
    ApplyMoveService,
    ChannelRowsService,
    DeleteMessagesService,
    EditHistoryRecordsService,
    EditHistoryService,
    FillPicturesService,
    EraseContentService,
    LegalHoldsCommandsService,
    LegalHoldsService,
    MessageLocksService,
    MessageDeleteAccess,
    MessageEditAccess,
    MessageHistoryService,
    MessageMoveAccess,
    MoveMessagesService,
    MoveNoticesService,
    MovedPoliciesService,
    MovedReachService,
    MessageActions,
    MovedReadingService,
    NewContentService,
    PlanEditService,
    ProtectedHistoryService,
    ForgetTopicService,
    RemoveMessagesService,
    ReportTextService,
    ReportsService,
    RetentionService,
    UpdateMessageService,
  ],
  exports: [MessageEditAccess],
})
export class MessageChangesModule {}

// Exports for other features.
export { MessageEditAccess } from './rights/message-edit.access';
export { resolutionBetween } from './rights/planned-edit';

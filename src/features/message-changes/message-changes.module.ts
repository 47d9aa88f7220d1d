import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AuditModule } from '../audit/audit.module';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UploadsModule } from '../uploads/uploads.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { MessageChangesController } from './message-changes.controller';
import { ApplyEditService } from './editing/apply-edit.service';
import { ApplyMoveService } from './moves/apply-move.service';
import { ChannelRowsService } from './locks/channel-rows.service';
import { FillPicturesService } from './editing/fill-pictures.service';
import { EditHistoryRecordsService } from './history/edit-history-records.service';
import { EditHistoryService } from './history/edit-history.service';
import { MessageLocksService } from './locks/message-locks.service';
import { MessageDeleteAccess } from './rights/message-delete.access';
import { MessageEditAccess } from './rights/message-edit.access';
import { MessageHistoryService } from './history/message-history.service';
import { MessageMoveAccess } from './rights/message-move.access';
import { MoveMessagesService } from './moves/move-messages.service';
import { MoveNoticesService } from './moves/move-notices.service';
import { MovedPoliciesService } from './moves/moved-policies.service';
import { MovedReachService } from './moves/moved-reach.service';
import { MessageActions } from './rights/message-actions.service';
import { MovedReadingService } from './moves/moved-reading.service';
import { NewContentService } from './editing/new-content.service';
import { PlanEditService } from './editing/plan-edit.service';
import { ProtectedHistoryService } from './history/protected-history.service';
import { ForgetTopicService } from './deletion/forget-topic.service';
import { RemoveMessagesService } from './deletion/remove-messages.service';
import { UpdateMessageService } from './editing/update-message.service';
import { DeleteMessagesService } from './deletion/delete-messages.service';
import { RetentionService } from './deletion/retention.service';
import { ReportTextService } from './reports/report-text.service';
import { ReportsController } from './reports/reports.controller';
import { ReportsService } from './reports/reports.service';
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

// What other features may import.
export { MessageEditAccess } from './rights/message-edit.access';

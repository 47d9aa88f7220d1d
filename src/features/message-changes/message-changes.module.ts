import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationModule } from '../organization/organization.module';
import { UploadsModule } from '../uploads/uploads.module';
import { UserGroupsModule } from '../user-groups/user-groups.module';
import { UsersModule } from '../users/users.module';
import { MessageChangesController } from './message-changes.controller';
import { ApplyEditService } from './apply-edit.service';
import { ApplyMoveService } from './apply-move.service';
import { ChannelRowsService } from './channel-rows.service';
import { DeleteMessageService } from './delete-message.service';
import { DeleteTopicService } from './delete-topic.service';
import { EditHistoryRecordsService } from './edit-history-records.service';
import { EditHistoryService } from './edit-history.service';
import { HeldMessagesService } from './held-messages.service';
import { MessageDeleteAccess } from './message-delete.access';
import { MessageEditAccess } from './message-edit.access';
import { MessageHistoryService } from './message-history.service';
import { MessageMoveAccess } from './message-move.access';
import { MoveMessagesService } from './move-messages.service';
import { MoveNoticesService } from './move-notices.service';
import { MovedPoliciesService } from './moved-policies.service';
import { MovedReachService } from './moved-reach.service';
import { MessageActions } from './message-actions.service';
import { MovedReadingService } from './moved-reading.service';
import { NewContentService } from './new-content.service';
import { PlanEditService } from './plan-edit.service';
import { ProtectedHistoryService } from './protected-history.service';
import { RemoveMessagesService } from './remove-messages.service';
import { ReplaceContentService } from './replace-content.service';
import { TopicRowsService } from './topic-rows.service';
import { UpdateMessageService } from './update-message.service';
import { UpgradableTransactions } from './upgradable-transactions.service';
import { ExpireMessagesService } from './expire-messages.service';
import { RetentionService } from './retention.service';

/** What becomes of messages after they were sent: edits, moves, deleting them, and what is known of all that. */
@Module({
  imports: [OrganizationModule, UsersModule, UserGroupsModule, ChannelsModule, MessagesModule, UploadsModule],
  controllers: [MessageChangesController],
  providers: [
    ApplyEditService,
    ApplyMoveService,
    ChannelRowsService,
    DeleteMessageService,
    DeleteTopicService,
    EditHistoryRecordsService,
    EditHistoryService,
    ExpireMessagesService,
    HeldMessagesService,
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
    RemoveMessagesService,
    ReplaceContentService,
    RetentionService,
    TopicRowsService,
    UpdateMessageService,
    UpgradableTransactions,
  ],
  exports: [MessageEditAccess],
})
export class MessageChangesModule {}

import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ChannelsModule } from '../channels/channels.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
import { NewestMessagesService } from './newest-messages.service';
import { TopicListService } from './topic-list.service';
import { TopicPreferencesService } from './policies/topic-preferences.service';
import { TopicRowsService } from './topic-rows.service';
import { TopicsController } from './topics.controller';
import { UserTopicsController } from './policies/user-topics.controller';
import { UserTopicsService } from './policies/user-topics.service';
import { UserTopicsStateService } from './policies/user-topics-state.service';
import { Topic } from './topic.entity';
import { UserTopic } from './policies/user-topic.entity';

/** Topics, their newest messages, and topic visibility policies. */
@Module({
  imports: [
    TypeOrmModule.forFeature([Topic, UserTopic]),
    OrganizationSettingsModule,
    UsersModule,
    ChannelsModule,
  ],
  controllers: [TopicsController, UserTopicsController],
  providers: [
    NewestMessagesService,
    TopicListService,
    TopicPreferencesService,
    TopicRowsService,
    UserTopicsService,
    UserTopicsStateService,
  ],
  exports: [NewestMessagesService, TopicRowsService, UserTopicsService],
})
export class TopicsModule {}

// What other features may import.
export { type NewestByTopic, NewestMessagesService } from './newest-messages.service';
export { type TopicRow, TopicRowsService, topicKey, visibleTopic } from './topic-rows.service';
export { TopicVisibility } from './policies/topic-visibility';
export { Topic } from './topic.entity';
export {
  type TopicMessages,
  topicMessagesPort,
  topicNamed,
  topicParticipants,
  topicRemoved,
  type TopicWire,
} from './topics.hooks';
export { UserTopicsService } from './policies/user-topics.service';

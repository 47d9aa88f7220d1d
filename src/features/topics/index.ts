/** What other features use of this one. Nothing else of it is imported from outside. */
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
} from './topics.hooks';
export { TopicsModule } from './topics.module';
export { UserTopicsService } from './policies/user-topics.service';
export type { TopicWire } from './topics.hooks';

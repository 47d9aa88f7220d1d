import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { TopicListService } from './topic-list.service';
import { TopicPreferencesService } from './topic-preferences.service';
import { TopicRowsService } from './topic-rows.service';
import { TopicsController } from './topics.controller';
import { UserTopicsController } from './user-topics.controller';
import { UserTopicsDataService } from './user-topics-data.service';
import { UserTopicsService } from './user-topics.service';
import { UserTopicsStateService } from './user-topics-state.service';

/** The topics of channels, and what each person has said about them. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, ChannelsModule],
  controllers: [TopicsController, UserTopicsController],
  providers: [
    TopicListService,
    TopicPreferencesService,
    TopicRowsService,
    UserTopicsDataService,
    UserTopicsService,
    UserTopicsStateService,
  ],
  exports: [TopicRowsService, UserTopicsService],
})
export class TopicsModule {}

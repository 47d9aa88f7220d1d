import { Controller, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { TopicPreferencesService } from './topic-preferences.service';
import { MuteTopicDto, SetUserTopicDto, toChannelReference, toVisibility } from './user-topics.dto';

/** What people say for themselves about topics. */
@Controller('api/v1')
export class UserTopicsController {
  constructor(private readonly topics: TopicPreferencesService) {}

  /**
   * Mutes a topic or ends that.
   * @deprecated Use `POST /api/v1/user_topics`.
   */
  @Patch('users/me/subscriptions/muted_topics')
  async mute(@CurrentActor() actor: Actor, @Parameters() dto: MuteTopicDto): Promise<void> {
    const change = { add: 'mute', remove: 'unmute' } as const;
    await this.topics[change[dto.op]](actor, toChannelReference(dto), dto.topic);
  }

  /** Mutes, unmutes or follows a topic, or ends that. */
  @Post('user_topics')
  async set(@CurrentActor() actor: Actor, @Parameters() dto: SetUserTopicDto): Promise<void> {
    await this.topics.set(actor, dto.stream_id, dto.topic, toVisibility(dto));
  }
}

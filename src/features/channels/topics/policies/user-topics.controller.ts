import { Controller, Patch, Post } from '@nestjs/common';
import type { Actor } from '../../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../../platform/http/decorators';
import { Parameters } from '../../../../platform/http/parameters/parameters.decorator';
import { TopicPreferencesService } from './topic-preferences.service';
import { MuteTopicDto, SetUserTopicDto, toChannelReference, toVisibility } from './user-topics.api';

/** What people say for themselves about topics. */
@Controller('api/v1')
@NeedsScope('send')
export class UserTopicsController {
  constructor(private readonly topics: TopicPreferencesService) {}

  /**
   * Mutes a topic or ends that.
   * @deprecated Use `POST /api/v1/user_topics`.
   */
  @Patch('users/me/subscriptions/muted_topics')
  mute(@CurrentActor() actor: Actor, @Parameters() dto: MuteTopicDto): Promise<void> {
    const reference = toChannelReference(dto);
    return dto.op === 'add'
      ? this.topics.mute(actor, reference, dto.topic)
      : this.topics.unmute(actor, reference, dto.topic);
  }

  /** Mutes, unmutes or follows a topic, or ends that. */
  @Post('user_topics')
  async set(@CurrentActor() actor: Actor, @Parameters() dto: SetUserTopicDto): Promise<void> {
    await this.topics.set(actor, dto.stream_id, dto.topic, toVisibility(dto));
  }
}

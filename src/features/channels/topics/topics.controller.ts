import { Controller, Get } from '@nestjs/common';
import type { Actor } from '../../../platform/actor';
import { CurrentActor, NeedsScope } from '../../../platform/http/decorators';
import { Parameters } from '../../../platform/http/parameters/parameters.decorator';
import { ListTopicsDto } from './topics.api';
import { TopicListService } from './topic-list.service';

/** The topics of a channel. */
@Controller('api/v1/users/me/:stream_id(\\d+)/topics')
@NeedsScope('read')
export class TopicsController {
  constructor(private readonly topics: TopicListService) {}

  /** Lists the topics of a channel, newest first. */
  @Get()
  async list(@CurrentActor() actor: Actor, @Parameters() input: ListTopicsDto) {
    const topics = await this.topics.list(actor, input.stream_id, input.allow_empty_topic_name);
    return { topics };
  }
}

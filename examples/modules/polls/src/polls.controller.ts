import { About, type Actor, Controller, CurrentActor, Get, Parameters, Post } from 'parley/module';
import { ClosePollDto, OpenPollDto } from './polls.dto';
import type { PollRecord } from './polls.events';
import { PollsService } from './polls.service';

/** Below /api/v1/modules/polls. */
@Controller()
export class PollsController {
  constructor(private readonly polls: PollsService) {}

  @About('Lists the newest polls that the caller can read, newest first.')
  @Get()
  async list(@CurrentActor() actor: Actor): Promise<{ polls: PollRecord[] }> {
    return { polls: await this.polls.list(actor) };
  }

  @About('Opens a poll: sends the message to react to, in the name of the caller.')
  @Post()
  async open(@CurrentActor() actor: Actor, @Parameters() input: OpenPollDto): Promise<{ poll: PollRecord }> {
    return { poll: await this.polls.open(actor, input) };
  }

  @About('Closes a poll before its deadline.')
  @Post(':id(\\d+)/close')
  async close(@CurrentActor() actor: Actor, @Parameters() { id }: ClosePollDto): Promise<void> {
    await this.polls.close(actor, id);
  }
}

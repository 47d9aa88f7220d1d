import { Module } from 'parley/module';
import { ClosePollsService } from './close-polls.service';
import { PollsController } from './polls.controller';
import { PollsService } from './polls.service';

@Module({ controllers: [PollsController], providers: [ClosePollsService, PollsService] })
export class PollsModule {}

import { Module, TypeOrmModule } from 'parley/module';
import { ClosePollsService } from './close-polls.service';
import { Poll, PollOption } from './poll.entity';
import { PollsController } from './polls.controller';
import { PollsService } from './polls.service';

@Module({
  imports: [TypeOrmModule.forFeature([Poll, PollOption])],
  controllers: [PollsController],
  providers: [ClosePollsService, PollsService],
})
export class PollsModule {}

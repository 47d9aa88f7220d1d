import { Module, TypeOrmModule } from 'parley/module';
import { CalendarFolder } from './calendar-folder';
import { OncallController } from './oncall.controller';
import { OncallService } from './oncall.service';
import { Rotation } from './rotation.entity';
import { TurnService } from './turn.service';

@Module({
  imports: [TypeOrmModule.forFeature([Rotation])],
  controllers: [OncallController],
  providers: [CalendarFolder, OncallService, TurnService],
})
export class OncallModule {}

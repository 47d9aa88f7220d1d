import { Module } from 'parley/module';
import { CalendarFolder } from './calendar-folder';
import { OncallController } from './oncall.controller';
import { OncallService } from './oncall.service';
import { TurnService } from './turn.service';

@Module({ controllers: [OncallController], providers: [CalendarFolder, OncallService, TurnService] })
export class OncallModule {}

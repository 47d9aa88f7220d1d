import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages';
import { OrganizationSettingsModule } from '../organization-settings';
import { UsersModule } from '../users';
import { WelcomeAnswersService } from './welcome-answers.service';
import { WelcomeController } from './welcome.controller';
import { WelcomeService } from './welcome.service';

/** The welcome bot: what it tells people who are new, and what it answers them. */
@Module({
  imports: [OrganizationSettingsModule, UsersModule, MessagesModule],
  controllers: [WelcomeController],
  providers: [WelcomeService, WelcomeAnswersService],
  exports: [WelcomeService],
})
export class WelcomeModule {}

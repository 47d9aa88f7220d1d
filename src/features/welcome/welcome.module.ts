import { Module } from '@nestjs/common';
import { MessagesModule } from '../messages/messages.module';
import { OrganizationSettingsModule } from '../organization-settings/organization-settings.module';
import { UsersModule } from '../users/users.module';
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

// What other features use of this one.
export { WelcomeService } from './welcome.service';

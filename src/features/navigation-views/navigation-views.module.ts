import { Module } from '@nestjs/common';
import { UsersModule } from '../users';
import { NavigationViewsController } from './navigation-views.controller';
import { NavigationViewsService } from './navigation-views.service';

/** Views that people put into the left sidebar of their clients. */
@Module({
  imports: [UsersModule],
  controllers: [NavigationViewsController],
  providers: [NavigationViewsService],
})
export class NavigationViewsModule {}

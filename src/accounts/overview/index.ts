export { countStandings, findAccount, rolesOfUser } from './overview.ts';

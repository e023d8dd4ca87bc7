import { ensureComponent } from '../components.ts';

export default () => ensureComponent('prometheus');

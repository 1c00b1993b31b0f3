// Made by the build from ui/theme.ts (see vite.config.ts).
declare module 'virtual:mantine-variables.css';

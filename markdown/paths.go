package markdown

const tasksFolder = "memory/tasks"

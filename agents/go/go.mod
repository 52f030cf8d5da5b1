module maumau

go 1.19
